import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * Locks a period until the transaction ends, if it is active. A transaction that closes it waits, and then sees the
 * rows of this one. @returns whether it is active
 */
export const lockActivePeriod = async (periodId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM recruitment_periods WHERE organization_id = $1 AND id = $2 AND status = 'active' FOR SHARE`,
    [currentOrganization(), periodId],
  )) !== null;
