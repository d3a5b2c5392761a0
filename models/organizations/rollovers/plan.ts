/** Who graduates: one query, used by the preview and by the confirmation. */
import { currentOrganization } from '../../database/rows.js';
import type { GraduationSeason } from '../vocabulary.js';
import type { Rollover } from './Rollover.js';

export interface RolloverRequest {
  /** The year in which it ends. */
  academicYear: number;
  throughSeason: GraduationSeason;
  toStatus: Rollover['to_status'];
  /** Null: all. */
  chapters: string[] | null;
  /** Memberships that stay as they are. */
  except: string[];
}

/** The values of PLAN. */
export const planValues = ({ academicYear, throughSeason, chapters, except }: RolloverRequest): unknown[] => [
  currentOrganization(),
  academicYear,
  throughSeason,
  chapters,
  except,
];

const IN_ORDER = (season: string): string => `array_position(ARRAY['FALL','SPRING','SUMMER'], ${season})`;

/**
 * SQL of CTEs up to `plan` (a row a member who is due) and `without_year` (who never is), for organization `$1` through season
 * `$3` of the academic year that ends in `$2`, in chapters `$4` without memberships `$5`.
 */
export const PLAN = `
  candidates AS MATERIALIZED (
    SELECT m.id AS membership_id, m.chapter_id, m.user_id, m.status, m.role, m.graduation_year, m.graduation_season
      FROM memberships m
     WHERE m.organization_id = $1 AND m.status IN ('undergrad', 'associate')
       AND ($4::uuid[] IS NULL OR m.chapter_id = ANY ($4)) AND m.id <> ALL ($5::uuid[])),
  plan AS MATERIALIZED (
    SELECT * FROM candidates
     WHERE (graduation_year, ${IN_ORDER("coalesce(graduation_season, 'SUMMER')")}) <= ($2::int, ${IN_ORDER('$3::text')})),
  without_year AS (SELECT * FROM candidates WHERE graduation_year IS NULL)`;

/** SQL: the hash of all rows of `source`, whatever order they come in, with what `toStatus` says. */
export const hashOf = (source: string, toStatus: string): string => `(
  SELECT encode(sha256(convert_to($2::int || '|' || $3::text || '|' || ${toStatus}::text || '|' || coalesce(string_agg(
           concat_ws('|', membership_id, status, role, graduation_year, coalesce(graduation_season, '-')), E'\\n'
           ORDER BY membership_id), ''), 'UTF8')), 'hex')
    FROM ${source})`;
