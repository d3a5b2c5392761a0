import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';
import type { GraduationSeason, MembershipRole, MembershipStatus } from '../vocabulary.js';
import { planHashSql, PLAN, planValues, type RolloverRequest } from './plan.js';

/** Maximum number of lines in one response. To see the rest, a client requests the preview for single chapters. */
export const PREVIEW_LINES = 500;

interface MemberLine {
  membership: string;
  chapter: string;
  name: string;
  status: MembershipStatus;
  role: MembershipRole;
}

export interface RolloverPreview {
  preview_hash: string;
  totals: {
    members: number;
    chapters: number;
    in_office: number;
    owing: number;
    owing_cents: number;
    without_year: number;
  };
  chapters: {
    chapter: string;
    chapter_name: string;
    members: number;
    in_office: number;
    owing: number;
    without_year: number;
  }[];
  lines: (MemberLine & {
    graduation_year: number;
    graduation_season: GraduationSeason | null;
    in_office: boolean;
    balance_due_cents: number;
  })[];
  /** Members without a graduation year, who are never moved. */
  without_year: MemberLine[];
}

const LINE = `p.membership_id AS membership, p.chapter_id AS chapter, u.first_name || ' ' || u.last_name AS name, p.status, p.role`;

/**
 * Previews a rollover: the members who would become alumni, and the hash to confirm it with. Changes nothing. Members
 * who hold an office or owe money are moved as well, and are listed first.
 * @throws Refusal validation_error
 */
export async function previewRollover(request: RolloverRequest): Promise<RolloverPreview> {
  await requireOwnIds(request);
  const { json } = await oneRow<{ json: RolloverPreview }>(
    `WITH ${PLAN},
     due AS (
       SELECT membership_id, sum(balance_due_cents)::bigint AS cents FROM chapter_invoices
        WHERE organization_id = $1 AND membership_id IN (SELECT membership_id FROM plan) AND balance_due_cents > 0
        GROUP BY membership_id),
     seen AS MATERIALIZED (
       SELECT plan.*, app.leads_chapter(role, status) AS in_office, coalesce(due.cents, 0) AS balance_due_cents
         FROM plan LEFT JOIN due USING (membership_id)),
     counted AS (
       SELECT chapter_id, count(*) FILTER (WHERE is_due)::int AS members, count(*) FILTER (WHERE in_office)::int AS in_office,
              count(*) FILTER (WHERE cents > 0)::int AS owing, sum(cents)::bigint AS owing_cents,
              count(*) FILTER (WHERE NOT is_due)::int AS without_year
         FROM (SELECT chapter_id, true AS is_due, in_office, balance_due_cents AS cents FROM seen
               UNION ALL SELECT chapter_id, false, false, 0 FROM without_year) each
        GROUP BY chapter_id)
     SELECT json_build_object(
       'preview_hash', ${planHashSql('plan', '$6')},
       'totals', (SELECT json_build_object('members', coalesce(sum(members), 0), 'chapters', count(*) FILTER (WHERE members > 0),
           'in_office', coalesce(sum(in_office), 0), 'owing', coalesce(sum(owing), 0),
           'owing_cents', coalesce(sum(owing_cents), 0), 'without_year', coalesce(sum(without_year), 0)) FROM counted),
       'chapters', (SELECT coalesce(json_agg(json_build_object('chapter', c.id, 'chapter_name', c.name, 'members', n.members,
           'in_office', n.in_office, 'owing', n.owing, 'without_year', n.without_year) ORDER BY c.name, c.id), '[]')
          FROM counted n JOIN chapters c ON c.organization_id = $1 AND c.id = n.chapter_id),
       'lines', (SELECT coalesce(json_agg(l), '[]') FROM (
           SELECT ${LINE}, p.graduation_year, p.graduation_season, p.in_office, p.balance_due_cents
             FROM (SELECT * FROM seen ORDER BY (in_office OR balance_due_cents > 0) DESC, chapter_id, membership_id LIMIT $7) p
             JOIN users u ON u.id = p.user_id
            ORDER BY (p.in_office OR p.balance_due_cents > 0) DESC, p.chapter_id, p.membership_id) l),
       'without_year', (SELECT coalesce(json_agg(l), '[]') FROM (
           SELECT ${LINE} FROM (SELECT * FROM without_year ORDER BY chapter_id, membership_id LIMIT $7) p
             JOIN users u ON u.id = p.user_id ORDER BY p.chapter_id, p.membership_id) l)) AS json`,
    [...planValues(request), request.toStatus, PREVIEW_LINES + 1],
  );
  return json;
}

/** Requires that all chapters and memberships belong to this organization. @throws Refusal validation_error */
export async function requireOwnIds({ chapters, except }: RolloverRequest): Promise<void> {
  const errors: FieldErrors = {};
  if (chapters && (await countIds('chapters', chapters)) < new Set(chapters).size)
    errors['chapters'] = ['There is no such chapter.'];
  if ((await countIds('memberships', except)) < new Set(except).size)
    errors['except'] = ['There is no such membership.'];
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
}

async function countIds(table: 'chapters' | 'memberships', ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  return (await rows(`SELECT FROM ${table} WHERE organization_id = $1 AND id = ANY ($2)`, [currentOrganization(), ids]))
    .length;
}
