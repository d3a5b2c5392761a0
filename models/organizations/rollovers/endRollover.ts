/** How a run ends: when everybody is done, or where somebody stops it. */
import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { STOPPED_RIGHT_LOST } from '../holdsRight.js';
import { told } from '../notifications.js';
import { Rollover, type RolloverStatus } from './Rollover.js';

/** Ends a run whose lines are all done; ending it again changes nothing. @returns where it stands @throws RowMissing */
export async function completeRollover(id: string): Promise<RolloverStatus> {
  const ended = { status: 'completed', ended_at: now } as const;
  const completed = await changeRow(Rollover, { id, status: 'running' }, ended);
  if (completed) await notify(told.rollover_ended, [id]);
  const rollover = completed ?? (await findRow(Rollover, id));
  if (!rollover) throw new RowMissing('There is no such rollover.');
  return rollover.status;
}

/**
 * Ends a run from outside of its process: from then on no page of it is begun. One that is under way has the row locked, and
 * is not waited for: its process, asked to end, closes the run after it.
 */
export async function stopRollover(id: string): Promise<void> {
  const stopped = await firstRow(
    `UPDATE rollovers SET status = 'cancelled', ended_at = now()
      WHERE id = (SELECT id FROM rollovers WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [id],
  );
  if (stopped) await notify(told.rollover_ended, [id]);
}

/** Ends a run where it stands: who was moved stays so. Again changes nothing. */
export async function cancelRollover(id: string): Promise<void> {
  const ended = { status: 'cancelled', ended_at: now } as const;
  if (await changeRow(Rollover, { id, status: 'running' }, ended)) await notify(told.rollover_ended, [id]);
}

/**
 * Ends a run, or its revert, whose confirmer has lost the right. What was done stays done. Every administrator is told.
 * @param rollover locked
 */
export async function stopWithoutRight(rollover: Rollover): Promise<void> {
  const isRevert = rollover.status === 'reverting';
  const status = isRevert ? (`revert_${STOPPED_RIGHT_LOST}` as const) : STOPPED_RIGHT_LOST;
  await changeRow(Rollover, rollover.id, { status, ...(!isRevert && { ended_at: now }) });
  await audit({ action: `rollover.${status}`, subjectType: 'rollover', subjectId: rollover.id });
  await notify(told.rollover_ended, [rollover.id], { actor: null, ...(isRevert && { cause: 'revert_stopped' }) });
}
