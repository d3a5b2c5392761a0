/** SQL of the members who graduate, used by the preview and by the confirmation. */
import { currentOrganization } from '../../database/rows.js';
import { type GraduationSeason, STUDENTS_SQL } from '../vocabulary.js';
import type { Rollover } from './Rollover.js';

export interface RolloverRequest {
  /** The year in which the academic year ends. */
  academicYear: number;
  throughSeason: GraduationSeason;
  toStatus: Rollover['to_status'];
  /** Null: all chapters. */
  chapters: string[] | null;
  /** Memberships that are excluded. */
  except: string[];
}

/** Returns the parameters of the SQL statement PLAN, in the order of their numbers. */
export const planValues = ({ academicYear, throughSeason, chapters, except }: RolloverRequest): unknown[] => [
  currentOrganization(),
  academicYear,
  throughSeason,
  chapters,
  except,
];

const SEASON_ORDER = (season: string): string => `array_position(ARRAY['FALL','SPRING','SUMMER'], ${season})`;

/**
 * SQL of two CTEs: `plan` has a row for each member who graduates, and `without_year` has the members without a
 * graduation year, who are never moved. Parameters: organization `$1`, the academic year `$2` by the year in which it
 * ends, the last season `$3`, chapters `$4`, excluded memberships `$5`.
 */
export const PLAN = `
  candidates AS MATERIALIZED (
    SELECT m.id AS membership_id, m.chapter_id, m.user_id, m.status, m.role, m.graduation_year, m.graduation_season
      FROM memberships m
     WHERE m.organization_id = $1 AND m.status IN (${STUDENTS_SQL})
       AND ($4::uuid[] IS NULL OR m.chapter_id = ANY ($4)) AND m.id <> ALL ($5::uuid[])),
  plan AS MATERIALIZED (
    SELECT * FROM candidates
     WHERE (graduation_year, ${SEASON_ORDER("coalesce(graduation_season, 'SUMMER')")}) <= ($2::int, ${SEASON_ORDER('$3::text')})),
  without_year AS (SELECT * FROM candidates WHERE graduation_year IS NULL)`;

/**
 * Returns SQL of a hash over all rows of `source` (sorted, so that their order does not matter), the request's year and
 * season, and `toStatus`.
 */
export const planHashSql = (source: string, toStatus: string): string => `(
  SELECT encode(sha256(convert_to($2::int || '|' || $3::text || '|' || ${toStatus}::text || '|' || coalesce(string_agg(
           concat_ws('|', membership_id, status, role, graduation_year, coalesce(graduation_season, '-')), E'\\n'
           ORDER BY membership_id), ''), 'UTF8')), 'hex')
    FROM ${source})`;
