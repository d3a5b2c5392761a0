import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * Reports whether a person who started a process may still act as an admin of the foundation.
 * @param userId null for a process that a Schedule started, which acts for no person
 */
export const isStillAdmin = async (userId: string | null): Promise<boolean> =>
  userId === null ||
  (await firstRow('SELECT FROM app.active_foundation_admins($1) WHERE user_id = $2', [
    currentOrganization(),
    userId,
  ])) !== null;
