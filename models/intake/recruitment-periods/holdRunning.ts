import { currentOrganization, firstRow } from '../../database/rows.js';

/** Whether a period runs; it then does until this transaction ends: whoever closes it waits, and finds what came in. */
export const holdRunning = async (periodId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM recruitment_periods WHERE organization_id = $1 AND id = $2 AND status = 'active' FOR SHARE`,
    [currentOrganization(), periodId],
  )) !== null;
