import { auditAll } from '../../database/audit.js';
import { changeRow, computed, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { holdsRight } from '../holdsRight.js';
import { withChangeContext } from '../lifecycle/history.js';
import { notifications } from '../notifications.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import { stopWithoutRight } from './endRollover.js';
import { lockMembers, lockRollover } from './lockLines.js';
import { Rollover, type RolloverStatus } from './Rollover.js';

interface ReturnResult {
  membership: string;
  /** Code of the reason why the member was left unchanged; null if the earlier status was restored. */
  why: string | null;
  status: MembershipStatus;
}

/**
 * Gives the next members of a reverted rollover their earlier status, in one transaction, and records the outcome of
 * each line. Members whose status or role has changed since are left unchanged. Stops when the person who started the
 * revert has lost the right. Safe to run again.
 * @returns whether there may be more
 */
export async function returnNextMembers(rolloverId: string): Promise<boolean> {
  const rollover = await lockRollover(rolloverId);
  if (rollover?.status !== 'reverting') return false;
  const batch = await lockMembers(rolloverId, 'moved');
  if (batch.length === 0) return false;
  if (!(await holdsRight({ userId: rollover.reverted_by, authority: 'organization' }))) {
    await stopWithoutRight(rollover);
    return false;
  }
  const before = await rolesOf(batch);
  const [lines, after] = await withChangeContext({ source: 'rollover_reverted' }, async () => {
    const results = await restoreStatuses(rolloverId, batch);
    await restoreOffices(rolloverId, batch);
    return [results, await rolesOf(batch)] as const;
  });
  const returned = lines.filter(({ why }) => why === null);
  await auditAll(
    returned.map(({ membership, status }) => {
      const [previousRole, currentRole] = [before.get(membership), after.get(membership)];
      return {
        action: 'membership.updated',
        subjectType: 'membership',
        subjectId: membership,
        person: { membershipId: membership },
        before: { status: rollover.to_status, ...(previousRole !== currentRole && { role: previousRole }) },
        after: { status, ...(previousRole !== currentRole && { role: currentRole }), rollover_id: rolloverId },
      };
    }),
  );
  const ids = returned.map(({ membership }) => membership);
  await notify(notifications.membership_changed, ids, { cause: `changed:rollover_reverted:${rolloverId}` });
  await changeRow(Rollover, rolloverId, {
    members_returned: computed(`members_returned + ${returned.length}`),
    members_kept: computed(`members_kept + ${lines.length - returned.length}`),
  });
  return true;
}

async function rolesOf(memberships: string[]): Promise<Map<string, MembershipRole>> {
  const members = await rows<{ id: string; role: MembershipRole }>(
    'SELECT id, role FROM memberships WHERE organization_id = $1 AND id = ANY ($2)',
    [currentOrganization(), memberships],
  );
  return new Map(members.map(({ id, role }) => [id, role]));
}

/**
 * Restores the statuses from before the rollover. A member whose role has changed lost an office by the rollover and
 * becomes an ordinary member here; `restoreOffices` then restores the office.
 */
const restoreStatuses = (rolloverId: string, batch: string[]): Promise<ReturnResult[]> =>
  rows<ReturnResult>(
    `WITH seen AS MATERIALIZED (
       SELECT l.membership_id, l.status, l.role, CASE WHEN last.ordinal <> l.period_ordinal THEN 'changed_since' END AS why
         FROM rollover_lines l
         JOIN membership_periods last
           ON last.organization_id = l.organization_id AND last.membership_id = l.membership_id AND last.valid_to IS NULL
        WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id = ANY ($3)),
     given AS (
       UPDATE memberships m SET status = seen.status, role = CASE m.role WHEN seen.role THEN m.role ELSE 'member' END
         FROM seen WHERE m.organization_id = $1 AND m.id = seen.membership_id AND seen.why IS NULL)
     UPDATE rollover_lines l SET outcome = CASE WHEN seen.why IS NULL THEN 'returned' ELSE 'kept' END, why = seen.why
       FROM seen WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id = seen.membership_id
     RETURNING l.membership_id AS membership, l.why, l.status`,
    [currentOrganization(), rolloverId, batch],
  );

/**
 * Reopens the terms that the rollover ended; database triggers then restore the roles. A presidency is not restored if
 * another member is president by now.
 */
const restoreOffices = (rolloverId: string, batch: string[]): Promise<unknown> =>
  rows(
    `WITH ended AS MATERIALIZED (
       SELECT l.membership_id, l.chapter_id, term.id FROM rollover_lines l CROSS JOIN LATERAL unnest(l.ended_terms) AS term (id)
        WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id = ANY ($3) AND l.outcome = 'returned'),
     goes_on AS (
       UPDATE officer_terms t SET ended_on = NULL FROM ended
        WHERE t.organization_id = $1 AND t.id = ended.id AND t.ended_on IS NOT NULL
          AND NOT (t.position = 'president' AND EXISTS (
            SELECT FROM officer_terms other WHERE other.organization_id = $1 AND other.chapter_id = t.chapter_id
               AND other.position = 'president' AND other.ended_on IS NULL))
       RETURNING t.id)
     UPDATE rollover_lines l SET why = 'office_not_returned'
      WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id IN (
        SELECT membership_id FROM ended WHERE id NOT IN (SELECT id FROM goes_on))`,
    [currentOrganization(), rolloverId, batch],
  );

/** Ends the revert; ending it again changes nothing. @returns the rollover's status @throws RowMissing */
export async function completeRevert(id: string): Promise<RolloverStatus> {
  const reverted = { status: 'reverted', reverted_at: now } as const;
  const completed = await changeRow(Rollover, { id, status: 'reverting' }, reverted);
  if (completed) await notify(notifications.rollover_ended, [id], { cause: 'reverted' });
  const rollover = completed ?? (await lockRollover(id));
  if (!rollover) throw new RowMissing('The rollover does not exist.');
  return rollover.status;
}
