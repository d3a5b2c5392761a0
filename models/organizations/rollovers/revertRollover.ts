import { revertRollover as process } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, lockForEdit, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { oneRow } from '../../database/rows.js';
import { organizationsErrors } from '../errors.js';
import { Rollover, REVERT_WINDOW } from './Rollover.js';

/**
 * Reverts a rollover that has ended: its workflow restores the earlier status of all members who have not changed
 * since.
 * @throws Refusal not_found, rollover_in_progress, rollover_reverted, revert_too_late
 */
export async function revertRollover(id: string): Promise<ShownRow<typeof Rollover>> {
  const { status } = await lockForEdit(Rollover, id);
  if (status === 'running') throw organizationsErrors.rollover_in_progress();
  if (status === 'reverting' || status === 'reverted') throw organizationsErrors.rollover_reverted();
  // A revert that stopped midway can be continued at any time.
  const isContinued = status === 'revert_stopped_right_lost';
  const { late } = await oneRow<{ late: boolean }>(
    `SELECT ended_at + ${REVERT_WINDOW} < now() AS late FROM rollovers WHERE id = $1`,
    [id],
  );
  if (late && !isContinued) throw organizationsErrors.revert_too_late();
  const reverted_by = currentScope().origin.userId;
  await changeRow(Rollover, id, { status: 'reverting', reverted_by, revert_started_at: now });
  await audit({ action: 'rollover.reverted', subjectType: 'rollover', subjectId: id });
  await enqueue(process, { rolloverId: id });
  return readRow(Rollover, id);
}
