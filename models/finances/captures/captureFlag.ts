/**
 * Raises and lowers the flag on captured money that awaits a decision, as refunds succeed and fail. The caller has
 * locked the remittance and the capture.
 */
import { findRow } from '../../database/model/read.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { REMITTANCE_STATE } from '../remittances/remittance.js';
import { FLAG_TIME_SQL, notifyFlagged } from '../remittances/settleRemittance.js';
import { ProcessorCapture } from './ProcessorCapture.js';

/**
 * Reduces the flagged amount of a capture by what was refunded. When none remains, the flag is resolved, and an
 * unsettled remittance becomes a draft without a charge. While a refund that an administrator requested is pending, the
 * flag stays until the provider reports the outcome.
 * @param isAllRefunded whether all uncredited money is refunded
 */
export async function lowerFlag(captureId: string, isAllRefunded: boolean): Promise<void> {
  if (isAllRefunded) {
    const resolved = await firstRow(
      `UPDATE processor_captures c SET disposition = 'resolved' WHERE c.id = $1 AND NOT EXISTS (
         SELECT 1 FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id AND r.status = 'pending') RETURNING c.id`,
      [captureId],
    );
    if (resolved) await resolveNotifications('capture', captureId);
  }
  const remittanceId = await readRemittanceId(captureId);
  if (!remittanceId) return;
  const { resolved } = await oneRow<{ resolved: boolean }>(
    `UPDATE chapter_remittances r SET
        reconciliation_amount_cents = coalesce(app.uncredited_of_remittance(r.organization_id, r.id), reconciliation_amount_cents),
        processor_payment_id =
          CASE WHEN app.uncredited_of_remittance(r.organization_id, r.id) IS NOT NULL OR settled_at IS NOT NULL THEN processor_payment_id END,
        resolved_at = CASE WHEN app.uncredited_of_remittance(r.organization_id, r.id) IS NULL THEN clock_timestamp() ELSE resolved_at END,
        reconciliation_note =
          CASE WHEN app.uncredited_of_remittance(r.organization_id, r.id) IS NULL THEN 'The processor refunded the whole charge.' ELSE reconciliation_note END
      WHERE r.id = $1 RETURNING app.uncredited_of_remittance(r.organization_id, r.id) IS NULL AS resolved`,
    [remittanceId],
  );
  if (resolved) await resolveNotifications('remittance', remittanceId);
}

/** Flags a capture's money again because its refund failed and the money came back. */
export async function raiseFlag(captureId: string): Promise<void> {
  const remittanceId = await readRemittanceId(captureId);
  if (!remittanceId) return;
  const { at } = await oneRow<{ at: string }>(
    `UPDATE chapter_remittances r SET
        processor_payment_id = coalesce(processor_payment_id, (SELECT intent_id FROM processor_captures WHERE id = $2)),
        reconciliation_flagged_at = clock_timestamp(), reconciliation_amount_cents = app.uncredited_of_remittance(r.organization_id, r.id),
        reconciliation_reason = CASE WHEN (SELECT state.status FROM ${REMITTANCE_STATE}) = 'needs_reconciliation' OR settled_at IS NULL
          THEN coalesce(reconciliation_reason, 'second_capture') ELSE 'second_capture' END
      WHERE r.id = $1 RETURNING ${FLAG_TIME_SQL} AS at`,
    [remittanceId, captureId],
  );
  await notifyFlagged(remittanceId, at);
}

const readRemittanceId = async (captureId: string): Promise<string | null> =>
  (await findRow(ProcessorCapture, captureId))?.remittance_id ?? null;
