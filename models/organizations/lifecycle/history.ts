/** What a membership was, and when: written by a trigger (`write_membership_period.sql`), explained and read here. */
import { currentScope } from '../../database/connection.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import type { Standing } from './transitions.js';

/** By which path a period came. `recorded`: it was there before there was a history. `unknown`: its path said nothing. */
export const PERIOD_SOURCES = [
  'recorded',
  'added',
  'change',
  'correction',
  'scheduled',
  'office',
  'transfer',
  'crossing',
  'crossing_reverted',
  'intake',
  'rollover',
  'rollover_reverted',
  'import',
  'import_undone',
  'declined',
  'account_deleted',
  'unknown',
] as const;
export type PeriodSource = (typeof PERIOD_SOURCES)[number];

export interface Explanation {
  source: PeriodSource;
  reason?: string | null | undefined;
  /** The day from which it holds, today or before; left out: today. */
  effectiveOn?: string | undefined;
  /** Of many at once: each from this day on, or from the first after it that their history has free, and never from a day to come. */
  notBefore?: string;
}

/**
 * Runs work that changes memberships, so that their history says how it came about; the actor is the transaction's.
 * @throws Refusal later_change_exists
 */
export async function explained<T>(
  { source, reason = null, effectiveOn, notBefore }: Explanation,
  work: () => Promise<T>,
): Promise<T> {
  const { userId } = currentScope().origin;
  await say({ source, actor: userId, reason, effective_on: effectiveOn, not_before: notBefore });
  const result = await work();
  await say(null);
  return result;
}

const say = (what: object | null): Promise<unknown> =>
  rows(`SELECT set_config('app.membership_change', $1, true)`, [what === null ? '' : JSON.stringify(what)]);

/** Where a membership stands, and the organization's date. */
export const readStanding = (membershipId: string): Promise<Standing & { today: string; since: string }> =>
  oneRow(
    `SELECT m.status, before.status AS before, app.today()::text AS today, last.valid_from::text AS since,
            m.status = 'inactive' AND (SELECT p.source FROM membership_periods p
              WHERE p.organization_id = m.organization_id AND p.membership_id = m.id AND p.ordinal > coalesce(before.ordinal, 0)
              ORDER BY p.ordinal LIMIT 1) = 'transfer' AS "isTransferred"
       FROM memberships m
       JOIN membership_periods last
         ON last.organization_id = m.organization_id AND last.membership_id = m.id AND last.valid_to IS NULL
       LEFT JOIN LATERAL (SELECT p.status, p.ordinal FROM membership_periods p
          WHERE p.organization_id = m.organization_id AND p.membership_id = m.id AND p.status <> m.status
          ORDER BY p.ordinal DESC LIMIT 1) before ON true
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );

export interface MembershipPeriod {
  id: string;
  status: MembershipStatus;
  role: MembershipRole;
  valid_from: string;
  valid_to: string | null;
  source: string;
  actor: string | null;
  reason: string | null;
  created_at: string;
}

/** The newest first. @throws Refusal page_not_found */
export const listPeriods = (membershipId: string, page: PageRequest): Promise<Page<MembershipPeriod>> =>
  selectPage({
    from: 'membership_periods p',
    where: 'p.organization_id = (SELECT app.org_id()) AND p.membership_id = $1',
    values: [membershipId],
    orderBy: 'p.ordinal DESC',
    key: 'p.id',
    select: `p.id, p.status, p.role, p.valid_from, p.valid_to, p.source, p.actor_user_id AS actor, p.reason, p.created_at`,
    ...page,
  });

/** Whose membership it is, for who may read of it; null where there is none. */
export const subjectOf = (membershipId: string) =>
  firstRow<{ membership_id: string; chapter_id: string; user_id: string; status: MembershipStatus }>(
    'SELECT id AS membership_id, chapter_id, user_id, status FROM memberships WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), membershipId],
  );
