/** Finds and locks pending requests about memberships. */
import { currentOrganization, rows } from '../../database/rows.js';

export const REQUEST_KINDS = ['hand_over', 'status_change', 'transfer'] as const;

export interface OpenRequest {
  id: string;
  kind: (typeof REQUEST_KINDS)[number];
}

/**
 * Returns SQL of the open requests about memberships of organization `$1`, with their kind.
 * @param which SQL that compares the id of a membership, such as `= $2`
 */
export const openRequestsSql = (which: string): string => `
  SELECT id, 'status_change' AS kind FROM status_change_requests
   WHERE organization_id = $1 AND membership_id ${which} AND status IN ('pending_officer', 'pending_organization')
  UNION ALL
  SELECT id, 'transfer' FROM transfer_requests
   WHERE organization_id = $1 AND membership_id ${which} AND status IN ('pending_destination', 'pending_organization')
  UNION ALL
  SELECT r.id, 'hand_over' FROM hand_over_requests r
    JOIN officer_terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
   WHERE r.organization_id = $1 AND r.status = 'pending' AND (t.membership_id ${which} OR r.successor_id ${which})
  ORDER BY kind, id`;

/**
 * Locks the open requests about memberships. Reviewers lock a request before its membership, so a caller that is about to
 * lock memberships and may close their requests calls this function first.
 */
export async function lockOpenRequests(membershipIds: readonly string[]): Promise<void> {
  const values = [currentOrganization(), membershipIds];
  for (const table of ['status_change_requests', 'transfer_requests'])
    await rows(
      `SELECT FROM ${table} WHERE organization_id = $1 AND membership_id = ANY ($2) AND status LIKE 'pending%'
        ORDER BY id FOR NO KEY UPDATE`,
      values,
    );
  await rows(
    `SELECT FROM hand_over_requests r WHERE organization_id = $1 AND status = 'pending'
        AND (successor_id = ANY ($2) OR EXISTS (SELECT FROM officer_terms t
          WHERE t.organization_id = $1 AND t.id = r.term_id AND t.membership_id = ANY ($2)))
      ORDER BY id FOR NO KEY UPDATE`,
    values,
  );
}

/**
 * Locks memberships whose status is about to change: first their open requests, then the memberships in id order, as
 * every caller that locks several.
 */
export async function lockMembersForStatus(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await lockOpenRequests(ids);
  await rows('SELECT FROM memberships WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE', [
    currentOrganization(),
    ids,
  ]);
}
