/**
 * What intake gives to the records of a member: each destination by one statement that writes only where nothing stands, so
 * that what the member has edited wins, whichever came first.
 */
import { currentOrganization, rows } from '../../database/rows.js';
import type { GraduationSeason } from '../vocabulary.js';

const written = async (text: string, values: unknown[]): Promise<boolean> =>
  (await rows(text, [currentOrganization(), ...values])).length > 0;

/** @returns whether it was written; so of all these */
export const fillDateOfBirth = (userId: string, day: string): Promise<boolean> =>
  written(
    `UPDATE member_profiles SET date_of_birth = $3
      WHERE organization_id = $1 AND user_id = $2 AND date_of_birth IS NULL RETURNING id`,
    [userId, day],
  );

/** @param address of 255 characters at most */
export const fillPermanentAddress = (userId: string, address: string): Promise<boolean> =>
  written(
    `UPDATE member_profiles SET permanent_address_line1 = $3
      WHERE organization_id = $1 AND user_id = $2 AND coalesce(btrim(permanent_address_line1), '') = '' RETURNING id`,
    [userId, address],
  );

/** Season and year are one: where either stands, both stay. @param year in which the academic year ends */
export const fillGraduation = (membershipId: string, season: GraduationSeason, year: number): Promise<boolean> =>
  written(
    `UPDATE memberships SET graduation_season = $3, graduation_year = $4
      WHERE organization_id = $1 AND id = $2 AND graduation_season IS NULL AND graduation_year IS NULL RETURNING id`,
    [membershipId, season, year],
  );

/** The day of a moment in the organization's zone. */
export const fillCrossingDate = (membershipId: string, at: Date): Promise<boolean> =>
  written(
    `UPDATE memberships m SET crossing_date = ($3::timestamptz AT TIME ZONE o.timezone)::date FROM organizations o
      WHERE m.organization_id = $1 AND m.id = $2 AND o.id = $1 AND m.crossing_date IS NULL RETURNING m.id`,
    [membershipId, at.toISOString()],
  );

/** The term of the crossing date that stands, an older one too: to May Spring, to July Summer, else Fall, of its calendar year. */
export const fillCrossingSemester = (membershipId: string): Promise<boolean> =>
  written(
    `UPDATE memberships SET crossing_semester = CASE WHEN extract(month FROM crossing_date) <= 5 THEN 'Spring'
              WHEN extract(month FROM crossing_date) <= 7 THEN 'Summer' ELSE 'Fall' END
              || ' ' || to_char(crossing_date, 'YYYY')
      WHERE organization_id = $1 AND id = $2 AND crossing_date IS NOT NULL AND coalesce(btrim(crossing_semester), '') = ''
      RETURNING id`,
    [membershipId],
  );
