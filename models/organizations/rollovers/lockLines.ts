/** What a page of a run, or of its revert, holds until its transaction ends. */
import { lockIfThere } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { lockMembersForStatus } from '../requests/openRequests.js';
import { Rollover } from './Rollover.js';

/** Members in one transaction. */
const PAGE = 500;

/** One page at a time. Null where there is no such run. */
export const lockRollover = (id: string): Promise<Rollover | null> => lockIfThere(Rollover, id);

/** Locks the memberships of the next lines with this outcome. @returns their ids */
export async function lockMembers(rolloverId: string, outcome: 'waiting' | 'moved'): Promise<string[]> {
  const lines = await rows<{ membership_id: string }>(
    `SELECT membership_id FROM rollover_lines WHERE organization_id = $1 AND rollover_id = $2 AND outcome = $3 ORDER BY id LIMIT $4`,
    [currentOrganization(), rolloverId, outcome, PAGE],
  );
  const ids = lines.map(({ membership_id }) => membership_id);
  await lockMembersForStatus(ids);
  return ids;
}
