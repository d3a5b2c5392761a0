/** Truncates a text without splitting a surrogate pair, which Postgres' JSON parser would reject. */
export const beginningOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
