import { revertRollover as process } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, lockRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { oneRow } from '../../database/rows.js';
import { organizationsErrors } from '../errors.js';
import { Rollover, REVERTIBLE } from './Rollover.js';

/**
 * Takes a run back that has ended: its process gives everybody who has not changed since the status of before.
 * @throws Refusal not_found, rollover_in_progress, rollover_reverted, revert_too_late
 */
export async function revertRollover(id: string): Promise<ShownRow<typeof Rollover>> {
  const { status } = await lockRow(Rollover, id);
  if (status === 'running') throw organizationsErrors.rollover_in_progress();
  if (status === 'reverting' || status === 'reverted') throw organizationsErrors.rollover_reverted();
  // One that stopped amid its lines is gone on with, however late.
  const goesOn = status === 'revert_stopped_right_lost';
  const { late } = await oneRow<{ late: boolean }>(
    `SELECT ended_at + ${REVERTIBLE} < now() AS late FROM rollovers WHERE id = $1`,
    [id],
  );
  if (late && !goesOn) throw organizationsErrors.revert_too_late();
  const reverted_by = currentScope().origin.userId;
  await changeRow(Rollover, id, { status: 'reverting', reverted_by, revert_started_at: now });
  await audit({ action: 'rollover.reverted', subjectType: 'rollover', subjectId: id });
  await enqueue(process, { rolloverId: id });
  return readRow(Rollover, id);
}
