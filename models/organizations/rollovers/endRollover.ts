/** Ends a rollover, when all its lines are done or when it is stopped. */
import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { STOPPED_RIGHT_LOST } from '../holdsRight.js';
import { notifications } from '../notifications.js';
import { Rollover, type RolloverStatus } from './Rollover.js';

/** Ends a rollover whose lines are all done; ending it again changes nothing. @returns its status @throws RowMissing */
export async function completeRollover(id: string): Promise<RolloverStatus> {
  const ended = { status: 'completed', ended_at: now } as const;
  const completed = await changeRow(Rollover, { id, status: 'running' }, ended);
  if (completed) await notify(notifications.rollover_ended, [id]);
  const rollover = completed ?? (await findRow(Rollover, id));
  if (!rollover) throw new RowMissing('The rollover does not exist.');
  return rollover.status;
}

/**
 * Ends a rollover even if its workflow is moving a batch right now. If a batch is running, it has locked the row, and
 * this function changes nothing: the workflow receives the cancellation and ends the rollover after that batch.
 * Otherwise the rollover ends at once, and no further batch begins.
 */
export async function stopRollover(id: string): Promise<void> {
  const stopped = await firstRow(
    `UPDATE rollovers SET status = 'cancelled', ended_at = now()
      WHERE id = (SELECT id FROM rollovers WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [id],
  );
  if (stopped) await notify(notifications.rollover_ended, [id]);
}

/** Cancels a rollover; members already moved stay moved. Repeating it changes nothing. */
export async function cancelRollover(id: string): Promise<void> {
  const ended = { status: 'cancelled', ended_at: now } as const;
  if (await changeRow(Rollover, { id, status: 'running' }, ended)) await notify(notifications.rollover_ended, [id]);
}

/**
 * Ends a rollover, or its revert, because the user who confirmed it no longer has the right to do so. Changes already
 * made stay. Every administrator is notified.
 * @param rollover locked
 */
export async function stopWithoutRight(rollover: Rollover): Promise<void> {
  const isRevert = rollover.status === 'reverting';
  const status = isRevert ? (`revert_${STOPPED_RIGHT_LOST}` as const) : STOPPED_RIGHT_LOST;
  await changeRow(Rollover, rollover.id, { status, ...(!isRevert && { ended_at: now }) });
  await audit({ action: `rollover.${status}`, subjectType: 'rollover', subjectId: rollover.id });
  await notify(notifications.rollover_ended, [rollover.id], {
    actor: null,
    ...(isRevert && { cause: 'revert_stopped' }),
  });
}
