import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Waits until running dues runs have finished the batches that bill these members, so that the caller sees the new
 * invoices.
 */
export const awaitRunningBatches = (membershipIds: readonly string[]): Promise<unknown> =>
  rows(
    `SELECT FROM dues_runs r WHERE r.organization_id = $1 AND r.status = 'running' AND EXISTS (
       SELECT FROM dues_run_items i WHERE i.organization_id = $1 AND i.dues_run_id = r.id AND i.membership_id = ANY ($2)) FOR SHARE`,
    [currentOrganization(), membershipIds],
  );
