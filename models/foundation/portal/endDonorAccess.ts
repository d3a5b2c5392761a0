import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Ends all links and sessions of donors, because they were erased, or because their mailbox or account has changed. The
 * caller has changed the donors' rows in the same transaction, so that no link is issued at the same moment. Links are
 * deleted first: a sign-in that has just used one has then committed its session.
 */
export async function endDonorAccess(donorIds: readonly string[]): Promise<void> {
  if (donorIds.length === 0) return;
  const values = [currentOrganization(), donorIds];
  await rows('DELETE FROM donor_links WHERE organization_id = $1 AND donor_id = ANY($2::uuid[])', values);
  await rows('DELETE FROM donor_sessions WHERE organization_id = $1 AND donor_id = ANY($2::uuid[])', values);
}
