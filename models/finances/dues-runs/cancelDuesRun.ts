import { audit } from '../../database/audit.js';
import { changeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { notifications } from '../notifications.js';
import { DuesRun } from './DuesRun.js';

/**
 * Cancels a run, unless its workflow is issuing a batch at this moment and therefore holds the lock of the run's row.
 * In that case this function changes nothing: the workflow also receives the cancellation, and ends the run after the
 * batch.
 */
export async function tryCancelDuesRun(duesRunId: string): Promise<void> {
  const cancelled = await firstRow(
    `UPDATE dues_runs SET status = 'cancelled'
      WHERE id = (SELECT id FROM dues_runs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [duesRunId],
  );
  if (cancelled) await notify(notifications.dues_run_ended, [duesRunId]);
}

/** Cancels a run. Issued invoices stay, and another run may bill the rest. Repeated, it changes nothing. */
export async function cancelDuesRun(duesRunId: string): Promise<void> {
  const cancelled = await changeRow(DuesRun, { id: duesRunId, status: 'running' }, { status: 'cancelled' });
  if (cancelled) await notify(notifications.dues_run_ended, [duesRunId]);
}

/**
 * Ends a run because the user who started it no longer has the right to issue dues. Issued invoices stay. All
 * administrators are notified.
 */
export async function stopForLostRight(duesRunId: string): Promise<void> {
  if (!(await changeRow(DuesRun, { id: duesRunId, status: 'running' }, { status: STOPPED_RIGHT_LOST }))) return;
  await audit({ action: `dues_run.${STOPPED_RIGHT_LOST}`, subjectType: 'dues_run', subjectId: duesRunId });
  await notify(notifications.dues_run_ended, [duesRunId], { actor: null });
}
