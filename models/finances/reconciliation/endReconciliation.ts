import { firstRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';

/** Notes up to which charge a run has compared. */
export const rememberCharge = (runId: string, intentId: string): Promise<unknown> =>
  rows(`UPDATE reconciliations SET cursor = $2 WHERE id = $1 AND status = 'comparing'`, [runId, intentId]);

/** All is compared; the administrators are told, once, where cases were opened. */
export async function endReconciliation(runId: string): Promise<void> {
  const ended = await firstRow<{ cases: number }>(
    `UPDATE reconciliations SET status = 'compared', cursor = NULL, finished_at = now()
      WHERE id = $1 AND status = 'comparing' RETURNING cases_opened AS cases`,
    [runId],
  );
  if (ended && ended.cases > 0) await notify(told.reconciliation_differs, [runId], { actor: null });
}
