/** The uniform form of timestamps from any source: ISO 8601 in UTC with milliseconds, `2026-09-01T12:00:00.000Z`. */

/** Matches a timestamp as Postgres' `to_json` writes it in UTC, with zero to six digits of a second. */
const POSTGRES_TIMESTAMP = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00:00"/g;

/**
 * Converts all timestamps in a response's JSON to the uniform form. Microseconds are cut, because JavaScript has none.
 */
export const withUniformTimestamps = (json: string): string =>
  json.includes('+00:00"')
    ? json.replaceAll(
        POSTGRES_TIMESTAMP,
        (_, second: string, fraction = '') => `"${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z"`,
      )
    : json;

const ANY_TIMESTAMP = /"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^"]*)"/g;
const UNIFORM_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the timestamps that do not have the uniform form. */
export const findOtherTimestamps = (json: string): string[] =>
  [...json.matchAll(ANY_TIMESTAMP)].flatMap(([, text = '']) => (UNIFORM_TIMESTAMP.test(text) ? [] : [text]));
