import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * Locks a recruitment period until the transaction ends, if it is active. A concurrent transaction that closes the
 * period waits, and then sees the rows that this one has written.
 * @returns whether the period is active
 */
export const lockActivePeriod = async (periodId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM recruitment_periods WHERE organization_id = $1 AND id = $2 AND status = 'active' FOR SHARE`,
    [currentOrganization(), periodId],
  )) !== null;
