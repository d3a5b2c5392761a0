/** How a run ends: when everybody is done, or where somebody stops it. */
import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
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
