/** One form for timestamps from any source: ISO 8601 in UTC with milliseconds, `2026-09-01T12:00:00.000Z`. */

/** Postgres' `to_json` of a timestamptz in UTC: zero to six digits of a second. */
const OF_POSTGRES = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00:00"/g;

/** Converts all timestamps in an answer's JSON to that form. Microseconds are cut, because JavaScript has none. */
export const withUniformMoments = (json: string): string =>
  json.includes('+00:00"')
    ? json.replaceAll(
        OF_POSTGRES,
        (_, second: string, fraction = '') => `"${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z"`,
      )
    : json;

const LIKE_A_MOMENT = /"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^"]*)"/g;
const UNIFORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Timestamps in another form. */
export const strayMoments = (json: string): string[] =>
  [...json.matchAll(LIKE_A_MOMENT)].flatMap(([, text = '']) => (UNIFORM.test(text) ? [] : [text]));
