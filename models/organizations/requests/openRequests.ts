/** Finds and locks pending requests about memberships. */
import { currentOrganization, rows } from '../../database/rows.js';

export const REQUEST_KINDS = ['hand_over', 'status_change', 'transfer'] as const;

export interface OpenRequest {
  id: string;
  kind: (typeof REQUEST_KINDS)[number];
}

/**
 * Returns, for each kind of request about memberships, the FROM and WHERE clauses that select the open ones in
 * organization `$1`.
 */
const openRequests = (which: string): Record<OpenRequest['kind'], string> => ({
  status_change: `status_change_requests r WHERE r.organization_id = $1 AND r.membership_id ${which}
    AND r.status IN ('pending_officer', 'pending_organization')`,
  transfer: `transfer_requests r WHERE r.organization_id = $1 AND r.membership_id ${which}
    AND r.status IN ('pending_destination', 'pending_organization')`,
  hand_over: `hand_over_requests r WHERE r.organization_id = $1 AND r.status = 'pending'
    AND (r.successor_id ${which} OR EXISTS (SELECT FROM officer_terms t
      WHERE t.organization_id = $1 AND t.id = r.term_id AND t.membership_id ${which}))`,
});

/**
 * Returns SQL that selects the open requests about memberships in organization `$1`, with the kind of each.
 * @param which SQL that follows the id of a membership in a comparison, such as `= $2`
 */
export const openRequestsSql = (which: string): string =>
  `${Object.entries(openRequests(which))
    .map(([kind, found]) => `SELECT r.id, '${kind}' AS kind FROM ${found}`)
    .join(' UNION ALL ')} ORDER BY kind, id`;

/**
 * Locks the open requests about memberships. Reviewers lock a request before its membership. A caller that locks
 * memberships and may close their requests therefore calls this function first.
 */
export async function lockOpenRequests(membershipIds: readonly string[]): Promise<void> {
  for (const found of Object.values(openRequests('= ANY ($2)')))
    await rows(`SELECT FROM ${found} ORDER BY r.id FOR NO KEY UPDATE OF r`, [currentOrganization(), membershipIds]);
}

/**
 * Locks memberships whose status is about to change. Their open requests are locked first, then the memberships in id
 * order, as in every caller that locks several memberships.
 */
export async function lockMembersForStatus(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await lockOpenRequests(ids);
  await rows('SELECT FROM memberships WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE', [
    currentOrganization(),
    ids,
  ]);
}
