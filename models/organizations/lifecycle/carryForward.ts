/**
 * SQL that copies intake data to a member's records. It fills only fields that are empty, so that the member's own
 * edits win. The SQL texts are parts of one statement, one part per table. The statement's CTE `given` has a column for
 * each field to fill, null if there is nothing to copy; `$1` is the organization, `$2` the person, `$3` the membership.
 * Each part returns the `fields` that it filled.
 */

/** SQL: whether a text column is empty. @param column with its alias */
const isBlank = (column: string): string => `coalesce(btrim(${column}), '') = ''`;

/** SQL: for each field, whether it is empty in the profile `p` or the membership `m`. */
export const IS_EMPTY = {
  date_of_birth: 'p.date_of_birth IS NULL',
  permanent_address_line1: isBlank('p.permanent_address_line1'),
  // Season and year are filled together: if either of them is set, both are left unchanged.
  graduation: 'm.graduation_season IS NULL AND m.graduation_year IS NULL',
  crossing_date: 'm.crossing_date IS NULL',
  crossing_semester: isBlank('m.crossing_semester'),
} as const;

/** SQL of an array with the names of the fields whose condition is true. */
export const trueFieldNames = (fields: Record<string, string>): string => {
  const each = Object.entries(fields).map(([field, holds]) => `CASE WHEN ${holds} THEN '${field}' END`);
  return `array_remove(ARRAY[${each.join(', ')}], NULL)`;
};

/** SQL that copies intake data into the empty fields of the profile `p`. */
export const FILL_PROFILE = `
  UPDATE member_profiles p
     SET date_of_birth = CASE WHEN fits.birth THEN given.date_of_birth ELSE p.date_of_birth END,
         permanent_address_line1 = CASE WHEN fits.address THEN given.permanent_address_line1 ELSE p.permanent_address_line1 END
    FROM given, (
      SELECT p.id, ${IS_EMPTY.date_of_birth} AS no_birth, ${IS_EMPTY.permanent_address_line1} AS no_address
        FROM member_profiles p WHERE p.organization_id = $1 AND p.user_id = $2 FOR NO KEY UPDATE) was
    CROSS JOIN LATERAL (SELECT no_birth AND g.date_of_birth IS NOT NULL AS birth,
                               no_address AND g.permanent_address_line1 IS NOT NULL AS address FROM given g) fits
   WHERE p.organization_id = $1 AND p.id = was.id AND (fits.birth OR fits.address)
   RETURNING ${trueFieldNames({ date_of_birth: 'fits.birth', permanent_address_line1: 'fits.address' })} AS fields`;

/** SQL of the semester of a day: Spring until May, Summer until July, then Fall, with the calendar year. */
const semesterSql = (day: string): string => `
  CASE WHEN extract(month FROM ${day}) <= 5 THEN 'Spring' WHEN extract(month FROM ${day}) <= 7 THEN 'Summer' ELSE 'Fall' END
    || ' ' || to_char(${day}, 'YYYY')`;

/** Returns the semester of a day such as `2025-03-01`, by the same rule as `semesterSql`. */
export const semesterOfDay = (day: string): string => {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  return `${month <= 5 ? 'Spring' : month <= 7 ? 'Summer' : 'Fall'} ${year}`;
};

/**
 * SQL that copies intake data into the empty fields of the membership, which the caller has locked. The crossing date
 * is the local day of the crossing in the organization's time zone. An empty semester is derived from the resulting
 * crossing date, even if that date was set before.
 */
export const FILL_MEMBERSHIP = `
  UPDATE memberships m
     SET graduation_season = CASE WHEN fits.graduation THEN given.graduation_season ELSE m.graduation_season END,
         graduation_year = CASE WHEN fits.graduation THEN given.graduation_year ELSE m.graduation_year END,
         crossing_date = fits.day,
         crossing_semester = CASE WHEN fits.semester THEN ${semesterSql('fits.day')} ELSE m.crossing_semester END
    FROM given, (
      SELECT m.id, g.graduation_year IS NOT NULL AND ${IS_EMPTY.graduation} AS graduation,
             g.crossed_at IS NOT NULL AND ${IS_EMPTY.crossing_date} AS date,
             g.gives_semester AND ${IS_EMPTY.crossing_semester} AND coalesce(m.crossing_date, g.day) IS NOT NULL AS semester,
             coalesce(m.crossing_date, g.day) AS day
        FROM memberships m, (SELECT given.*, app.local_day_of(o.timezone, given.crossed_at) AS day
                               FROM given, organizations o WHERE o.id = $1) g
       WHERE m.organization_id = $1 AND m.id = $3) fits
   WHERE m.organization_id = $1 AND m.id = fits.id AND (fits.graduation OR fits.date OR fits.semester)
   RETURNING ${trueFieldNames({ graduation: 'fits.graduation', crossing_date: 'fits.date', crossing_semester: 'fits.semester' })} AS fields`;
