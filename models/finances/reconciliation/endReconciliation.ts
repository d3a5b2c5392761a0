import { firstRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/** Records the last charge that a run has compared. */
export const recordProgress = (runId: string, intentId: string): Promise<unknown> =>
  rows(`UPDATE reconciliations SET cursor = $2 WHERE id = $1 AND status = 'comparing'`, [runId, intentId]);

/** Ends a reconciliation run. If the run opened cases, notifies the administrators, once. */
export async function endReconciliation(runId: string): Promise<void> {
  const ended = await firstRow<{ cases: number }>(
    `UPDATE reconciliations SET status = 'compared', cursor = NULL, finished_at = now()
      WHERE id = $1 AND status = 'comparing' RETURNING cases_opened AS cases`,
    [runId],
  );
  if (ended && ended.cases > 0) await notify(notifications.reconciliation_differs, [runId], { actor: null });
}
