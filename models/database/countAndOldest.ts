/** The number of rows that wait, and the time since which the oldest has waited; null if none waits. */
export interface CountAndOldest {
  count: number;
  oldest_at: string | null;
}

/**
 * SQL expression of a `CountAndOldest`.
 * @param since SQL of the time since which a row has waited
 * @param from SQL of the rows, following FROM
 */
export const countAndOldest = (since: string, from: string): string =>
  `(SELECT json_build_object('count', count(*)::int, 'oldest_at', min(${since})) FROM ${from})`;
