/** What a page of a run, or of its revert, holds until its transaction ends. */
import { lockIfThere } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { Rollover } from './Rollover.js';

/** Members in one transaction. */
const PAGE = 500;

/** One page at a time. Null where there is no such run. */
export const lockRollover = (id: string): Promise<Rollover | null> => lockIfThere(Rollover, id);

/** The next memberships whose lines are so, locked in the order of their ids as by everybody who locks several. */
export const lockMembers = async (rolloverId: string, outcome: 'waiting' | 'moved'): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      `SELECT m.id FROM memberships m
        WHERE m.organization_id = $1 AND m.id IN (
          SELECT membership_id FROM rollover_lines WHERE organization_id = $1 AND rollover_id = $2 AND outcome = $3
           ORDER BY id LIMIT $4)
        ORDER BY m.id FOR NO KEY UPDATE`,
      [currentOrganization(), rolloverId, outcome, PAGE],
    )
  ).map(({ id }) => id);
