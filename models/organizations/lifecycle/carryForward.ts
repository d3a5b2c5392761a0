/**
 * What intake gives to the records of a member: each destination is written only where nothing stands, so that what the member
 * has edited wins, whichever came first. Parts of one statement (`giveAll.ts`), a table each: in it `given` has a column for each
 * destination, null where there is nothing to give; `$1` is the organization, `$2` the person, `$3` the membership. Each answers
 * with the `fields` that it wrote.
 */

/** SQL of whether nothing stands. @param column with its alias */
const isBlank = (column: string): string => `coalesce(btrim(${column}), '') = ''`;

/** SQL of whether nothing stands in the profile `p` or the membership `m`, by destination. */
export const NOTHING_STANDS = {
  date_of_birth: 'p.date_of_birth IS NULL',
  permanent_address_line1: isBlank('p.permanent_address_line1'),
  // Season and year are one: where either stands, both stay.
  graduation: 'm.graduation_season IS NULL AND m.graduation_year IS NULL',
  crossing_date: 'm.crossing_date IS NULL',
  crossing_semester: isBlank('m.crossing_semester'),
} as const;

/** SQL of the names of those that hold. */
export const namesOf = (fields: Record<string, string>): string => {
  const each = Object.entries(fields).map(([field, holds]) => `CASE WHEN ${holds} THEN '${field}' END`);
  return `array_remove(ARRAY[${each.join(', ')}], NULL)`;
};

/** Of the profile. */
export const FILL_PROFILE = `
  UPDATE member_profiles p
     SET date_of_birth = CASE WHEN fits.birth THEN given.date_of_birth ELSE p.date_of_birth END,
         permanent_address_line1 = CASE WHEN fits.address THEN given.permanent_address_line1 ELSE p.permanent_address_line1 END
    FROM given, (
      SELECT p.id, ${NOTHING_STANDS.date_of_birth} AS no_birth, ${NOTHING_STANDS.permanent_address_line1} AS no_address
        FROM member_profiles p WHERE p.organization_id = $1 AND p.user_id = $2 FOR NO KEY UPDATE) was
    CROSS JOIN LATERAL (SELECT no_birth AND g.date_of_birth IS NOT NULL AS birth,
                               no_address AND g.permanent_address_line1 IS NOT NULL AS address FROM given g) fits
   WHERE p.organization_id = $1 AND p.id = was.id AND (fits.birth OR fits.address)
   RETURNING ${namesOf({ date_of_birth: 'fits.birth', permanent_address_line1: 'fits.address' })} AS fields`;

/** The term of a day: to May Spring, to July Summer, else Fall, of its calendar year. */
const semesterOf = (day: string): string => `
  CASE WHEN extract(month FROM ${day}) <= 5 THEN 'Spring' WHEN extract(month FROM ${day}) <= 7 THEN 'Summer' ELSE 'Fall' END
    || ' ' || to_char(${day}, 'YYYY')`;

/** The same for a day from a client, such as `2025-03-01`. */
export const semesterOfDay = (day: string): string => {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  return `${month <= 5 ? 'Spring' : month <= 7 ? 'Summer' : 'Fall'} ${year}`;
};

/**
 * Of the membership, which the caller has locked. The crossing date is the day of a moment in the organization's zone; the
 * semester is that of the date that stands then, an older one too.
 */
export const FILL_MEMBERSHIP = `
  UPDATE memberships m
     SET graduation_season = CASE WHEN fits.graduation THEN given.graduation_season ELSE m.graduation_season END,
         graduation_year = CASE WHEN fits.graduation THEN given.graduation_year ELSE m.graduation_year END,
         crossing_date = fits.day,
         crossing_semester = CASE WHEN fits.semester THEN ${semesterOf('fits.day')} ELSE m.crossing_semester END
    FROM given, (
      SELECT m.id, g.graduation_year IS NOT NULL AND ${NOTHING_STANDS.graduation} AS graduation,
             g.crossed_at IS NOT NULL AND ${NOTHING_STANDS.crossing_date} AS date,
             g.gives_semester AND ${NOTHING_STANDS.crossing_semester} AND coalesce(m.crossing_date, g.day) IS NOT NULL AS semester,
             coalesce(m.crossing_date, g.day) AS day
        FROM memberships m, (SELECT given.*, app.local_day_of(o.timezone, given.crossed_at) AS day
                               FROM given, organizations o WHERE o.id = $1) g
       WHERE m.organization_id = $1 AND m.id = $3) fits
   WHERE m.organization_id = $1 AND m.id = fits.id AND (fits.graduation OR fits.date OR fits.semester)
   RETURNING ${namesOf({ graduation: 'fits.graduation', crossing_date: 'fits.date', crossing_semester: 'fits.semester' })} AS fields`;
