import { auditAll } from '../../database/audit.js';
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { organizationsUpstream } from '../upstream.js';
import { holdsRight } from '../holdsRight.js';
import { withChangeContext } from '../lifecycle/history.js';
import { notifications } from '../notifications.js';
import { endRequests } from '../requests/endRequests.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import { stopWithoutRight } from './endRollover.js';
import { lockMembers, lockRollover } from './lockLines.js';
import { Rollover } from './Rollover.js';

interface MoveResult {
  membership: string;
  /** Code of the reason why the member was skipped; null if the member was moved. */
  why: string | null;
  status: MembershipStatus;
  role: MembershipRole;
  role_now: MembershipRole | null;
}

/**
 * Moves the next members of a rollover in one transaction and records the outcome of each line. It has the effects of
 * `changeMembership`, in a number of statements that does not depend on the number of members. Members who changed
 * since the preview are skipped. Safe to run again: only waiting lines are touched, and a rollover that has ended moves
 * no more members. The rollover stops when the person who confirmed it has lost the right.
 * @returns whether there may be more
 */
export async function moveNextMembers(rolloverId: string): Promise<boolean> {
  const rollover = await lockRollover(rolloverId);
  if (rollover?.status !== 'running') return false;
  const batch = await lockMembers(rolloverId, 'waiting');
  if (batch.length === 0) return false;
  if (!(await holdsRight({ userId: rollover.started_by, authority: 'organization' }))) {
    await stopWithoutRight(rollover);
    return false;
  }
  const lines = await withChangeContext({ source: 'rollover' }, () =>
    moveMembers(rolloverId, rollover.to_status, batch),
  );
  const moved = lines.filter(({ why }) => why === null);
  const ids = moved.map(({ membership }) => membership);
  await organizationsUpstream().endMemberAccounts(ids);
  await endRequests(moved.map(({ membership, status }) => ({ membership, from: status, to: rollover.to_status })));
  await auditAll(
    moved.map(({ membership, status, role, role_now }) => ({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: membership,
      person: { membershipId: membership },
      before: { status, ...(role_now !== role && { role }) },
      after: { status: rollover.to_status, ...(role_now !== role && { role: role_now }), rollover_id: rolloverId },
    })),
  );
  await notify(notifications.membership_changed, ids, { cause: `changed:rollover:${rolloverId}` });
  await changeRow(Rollover, rolloverId, {
    members_moved: computed(`members_moved + ${moved.length}`),
    members_skipped: computed(`members_skipped + ${lines.length - moved.length}`),
  });
  return true;
}

/**
 * SQL that tells how a member differs from the line in the preview; null if there is no difference. Only members
 * without a difference are moved.
 */
const DIFFERENCE = `CASE WHEN m.status <> l.status THEN 'status_changed'
  WHEN m.graduation_year IS DISTINCT FROM l.graduation_year
    OR m.graduation_season IS DISTINCT FROM l.graduation_season THEN 'graduation_changed'
  WHEN m.role <> l.role THEN 'role_changed' END`;

/**
 * Moves those members of a batch who have not changed since the preview, and records the outcome of each line. A
 * trigger adds one period to the history of each moved member (`write_membership_period.sql`), with a number that is
 * one higher than that of the last period. The line stores this number: a later revert finds a higher one if the member
 * has changed since.
 */
const moveMembers = (rolloverId: string, toStatus: string, batch: string[]): Promise<MoveResult[]> =>
  rows<MoveResult>(
    `WITH seen AS MATERIALIZED (
       SELECT l.membership_id, l.status, l.role, ${DIFFERENCE} AS why, last.ordinal + 1 AS ordinal
         FROM rollover_lines l
         JOIN memberships m ON m.organization_id = l.organization_id AND m.id = l.membership_id
         JOIN membership_periods last
           ON last.organization_id = m.organization_id AND last.membership_id = m.id AND last.valid_to IS NULL
        WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id = ANY ($3)),
     offices AS MATERIALIZED (
       SELECT membership_id, array_agg(id) AS ids FROM officer_terms
        WHERE organization_id = $1 AND membership_id = ANY ($3) AND ended_on IS NULL AND NOT app.in_active_standing($4)
        GROUP BY membership_id),
     moved AS (
       UPDATE memberships m SET status = $4 FROM seen
        WHERE m.organization_id = $1 AND m.id = seen.membership_id AND seen.why IS NULL RETURNING m.id, m.role)
     UPDATE rollover_lines l
        SET outcome = CASE WHEN seen.why IS NULL THEN 'moved' ELSE 'skipped' END, why = seen.why,
            period_ordinal = CASE WHEN seen.why IS NULL THEN seen.ordinal END,
            ended_terms = CASE WHEN seen.why IS NULL THEN coalesce(offices.ids, '{}') ELSE '{}' END
       FROM seen LEFT JOIN moved ON moved.id = seen.membership_id LEFT JOIN offices ON offices.membership_id = seen.membership_id
      WHERE l.organization_id = $1 AND l.rollover_id = $2 AND l.membership_id = seen.membership_id
     RETURNING l.membership_id AS membership, l.why, l.status, l.role, moved.role AS role_now`,
    [currentOrganization(), rolloverId, batch, toStatus],
  );
