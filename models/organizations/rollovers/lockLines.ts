/** Locks the rows of one batch of a rollover or its revert. */
import { lockForEditIfExists } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { lockMembersForStatus } from '../requests/openRequests.js';
import { Rollover } from './Rollover.js';

/** Members in one transaction. */
const BATCH_SIZE = 500;

/**
 * Locks a rollover, so that only one batch runs at a time.
 * @returns null if it does not exist
 */
export const lockRollover = (id: string): Promise<Rollover | null> => lockForEditIfExists(Rollover, id);

/** Locks the memberships of the next lines with this outcome. @returns their ids */
export async function lockMembers(rolloverId: string, outcome: 'waiting' | 'moved'): Promise<string[]> {
  const lines = await rows<{ membership_id: string }>(
    `SELECT membership_id FROM rollover_lines WHERE organization_id = $1 AND rollover_id = $2 AND outcome = $3 ORDER BY id LIMIT $4`,
    [currentOrganization(), rolloverId, outcome, BATCH_SIZE],
  );
  const ids = lines.map(({ membership_id }) => membership_id);
  await lockMembersForStatus(ids);
  return ids;
}
