import { audit } from '../../database/audit.js';
import { changeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { told } from '../notifications.js';
import { DuesRun } from './DuesRun.js';

/**
 * Ends a run from outside of its process: from then on no page of it is begun. One that is being issued has the row
 * locked, and is not waited for: its process, asked to end, closes the run after it.
 */
export async function stopDuesRun(duesRunId: string): Promise<void> {
  const stopped = await firstRow(
    `UPDATE dues_runs SET status = 'cancelled'
      WHERE id = (SELECT id FROM dues_runs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [duesRunId],
  );
  if (stopped) await notify(told.dues_run_ended, [duesRunId]);
}

/** Ends a run where it stands: what it issued stays issued, and another run may bill the others. Again changes nothing. */
export async function cancelDuesRun(duesRunId: string): Promise<void> {
  const cancelled = await changeRow(DuesRun, { id: duesRunId, status: 'running' }, { status: 'cancelled' });
  if (cancelled) await notify(told.dues_run_ended, [duesRunId]);
}

/** Ends a run whose confirmer has lost the right. What it issued stays issued. Every administrator is told. */
export async function stopWithoutRight(duesRunId: string): Promise<void> {
  if (!(await changeRow(DuesRun, { id: duesRunId, status: 'running' }, { status: STOPPED_RIGHT_LOST }))) return;
  await audit({ action: `dues_run.${STOPPED_RIGHT_LOST}`, subjectType: 'dues_run', subjectId: duesRunId });
  await notify(told.dues_run_ended, [duesRunId], { actor: null });
}
