import { auditAll } from '../../database/audit.js';
import { changeRow, computed, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { holdsRight } from '../holdsRight.js';
import { explained } from '../lifecycle/history.js';
import { told } from '../notifications.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import { stopWithoutRight } from './endRollover.js';
import { lockMembers, lockRollover } from './lockLines.js';
import { Rollover, type RolloverStatus } from './Rollover.js';

interface Returned {
  membership: string;
  /** Why somebody was left as they are; null: returned. */
  why: string | null;
  status: MembershipStatus;
}

/**
 * Gives the next members of a run that is taken back what they were, in one transaction, each with its line's outcome. Whose
 * status or role has changed since stays as they are. Stops when the person who asked for it has lost the right. Safe to
 * run again.
 * @returns whether there may be more
 */
export async function returnNextMembers(rolloverId: string): Promise<boolean> {
  const rollover = await lockRollover(rolloverId);
  if (rollover?.status !== 'reverting') return false;
  const page = await lockMembers(rolloverId, 'moved');
  if (page.length === 0) return false;
  if (!(await holdsRight({ userId: rollover.reverted_by, hand: 'organization' }))) {
    await stopWithoutRight(rollover);
    return false;
  }
  const before = await rolesOf(page);
  const [lines, after] = await explained({ source: 'rollover_reverted' }, async () => {
    const done = await giveBack(rolloverId, page);
    await giveBackOffices(rolloverId, page);
    return [done, await rolesOf(page)] as const;
  });
  const returned = lines.filter(({ why }) => why === null);
  await auditAll(
    returned.map(({ membership, status }) => {
      const [was, is] = [before.get(membership), after.get(membership)];
      return {
        action: 'membership.updated',
        subjectType: 'membership',
        subjectId: membership,
        person: { membershipId: membership },
        before: { status: rollover.to_status, ...(was !== is && { role: was }) },
        after: { status, ...(was !== is && { role: is }), rollover_id: rolloverId },
      };
    }),
  );
  const ids = returned.map(({ membership }) => membership);
  await notify(told.membership_changed, ids, { cause: `changed:rollover_reverted:${rolloverId}` });
  await changeRow(Rollover, rolloverId, {
    members_returned: computed(`members_returned + ${returned.length}`),
    members_kept: computed(`members_kept + ${lines.length - returned.length}`),
  });
  return true;
}

async function rolesOf(memberships: string[]): Promise<Map<string, MembershipRole>> {
  const found = await rows<{ id: string; role: MembershipRole }>(
    'SELECT id, role FROM memberships WHERE organization_id = $1 AND id = ANY ($2)',
    [currentOrganization(), memberships],
  );
  return new Map(found.map(({ id, role }) => [id, role]));
}

/** A role differs only where an office has ended: what follows is for the offices. */
const giveBack = (rolloverId: string, page: string[]): Promise<Returned[]> =>
  rows<Returned>(
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
    [currentOrganization(), rolloverId, page],
  );

/** Terms that the run ended go on, and roles follow them, but for an office that somebody else has taken meanwhile. */
const giveBackOffices = (rolloverId: string, page: string[]): Promise<unknown> =>
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
    [currentOrganization(), rolloverId, page],
  );

/** Ends the revert; ending it again changes nothing. @returns how it has ended @throws RowMissing */
export async function completeRevert(id: string): Promise<RolloverStatus> {
  const reverted = { status: 'reverted', reverted_at: now } as const;
  const completed = await changeRow(Rollover, { id, status: 'reverting' }, reverted);
  if (completed) await notify(told.rollover_ended, [id], { cause: 'reverted' });
  const rollover = completed ?? (await lockRollover(id));
  if (!rollover) throw new RowMissing('There is no such rollover.');
  return rollover.status;
}
