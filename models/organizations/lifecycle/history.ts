/**
 * History of memberships. A trigger writes it (`write_membership_period.sql`); this module passes the source and reason
 * of a change to the trigger, and lists the history.
 */
import { currentScope } from '../../database/connection.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import type { MembershipState } from './transitions.js';

/**
 * The causes of a period of the history. `recorded`: the membership is older than the history. `unknown`: the change gave
 * no source.
 */
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

export interface ChangeContext {
  source: PeriodSource;
  reason?: string | null | undefined;
  /** The day from which the change holds, today or earlier. Default: today. */
  effectiveOn?: string | undefined;
  /**
   * For a change of many memberships: the earliest day from which the change holds. If the history of a membership has
   * a later change, it holds from the first day that the history allows, at most today.
   */
  notBefore?: string;
}

/**
 * Runs work that changes memberships, and passes the source and reason to the trigger that writes their history. The
 * history records the actor of the transaction.
 * @throws Refusal later_change_exists
 */
export async function withChangeContext<T>(
  { source, reason = null, effectiveOn, notBefore }: ChangeContext,
  work: () => Promise<T>,
): Promise<T> {
  const { userId } = currentScope().origin;
  await setChangeContext({ source, actor: userId, reason, effective_on: effectiveOn, not_before: notBefore });
  const result = await work();
  await setChangeContext(null);
  return result;
}

const setChangeContext = (context: object | null): Promise<unknown> =>
  rows(`SELECT set_config('app.membership_change', $1, true)`, [context === null ? '' : JSON.stringify(context)]);

/** Returns the present and previous status of a membership, and the organization's date. */
export const readMembershipState = (
  membershipId: string,
): Promise<MembershipState & { today: string; since: string }> =>
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

/** Lists the periods of a membership, newest first. @throws Refusal page_not_found */
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

/** Returns the person and chapter of a membership, for checks of access to its history; null where there is none. */
export const findMembershipSubject = (membershipId: string) =>
  firstRow<{ membership_id: string; chapter_id: string; user_id: string; status: MembershipStatus }>(
    'SELECT id AS membership_id, chapter_id, user_id, status FROM memberships WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), membershipId],
  );
