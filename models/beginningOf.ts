/**
 * The beginning of a text, and no sign of it in half: Postgres reads no JSON with half of a surrogate pair.
 * @param most UTF-16 code units, as limits of texts count
 */
export const beginningOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
