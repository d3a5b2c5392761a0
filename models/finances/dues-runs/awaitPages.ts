import { currentOrganization, rows } from '../../database/rows.js';

/** Waits for pages that are just being issued of runs that bill these members: what they have billed is seen from then on. */
export const awaitPages = (membershipIds: readonly string[]): Promise<unknown> =>
  rows(
    `SELECT FROM dues_runs r WHERE r.organization_id = $1 AND r.status = 'running' AND EXISTS (
       SELECT FROM dues_run_items i WHERE i.organization_id = $1 AND i.dues_run_id = r.id AND i.membership_id = ANY ($2)) FOR SHARE`,
    [currentOrganization(), membershipIds],
  );
