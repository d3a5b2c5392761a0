/** Truncates a text without splitting a surrogate pair, which Postgres' JSON parser would reject. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
