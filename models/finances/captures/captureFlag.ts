/** Captured money that waits for somebody, as its refunds come and fail. The caller holds the remittance and the capture. */
import { findRow } from '../../database/model/read.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { STATUS_SQL, WAITING_SQL } from '../remittances/remittance.js';
import { FLAGGED_AT, tellFlagged } from '../remittances/settleRemittance.js';
import { ProcessorCapture } from './ProcessorCapture.js';

/**
 * Money that waits and goes back does not wait any more; when none is left, the flag is dealt with, and what was never
 * settled is a draft without a charge. What an administrator has asked to be given back waits until the provider has said
 * what became of it.
 * @param allGone whether all of it that nobody was credited with goes back
 */
export async function lowerFlag(captureId: string, allGone: boolean): Promise<void> {
  if (allGone) {
    const resolved = await firstRow(
      `UPDATE processor_captures c SET disposition = 'resolved' WHERE c.id = $1 AND NOT EXISTS (
         SELECT 1 FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id AND r.status = 'pending') RETURNING c.id`,
      [captureId],
    );
    if (resolved) await resolveNotifications('capture', captureId);
  }
  const remittanceId = await remittanceOf(captureId);
  if (!remittanceId) return;
  const { resolved } = await oneRow<{ resolved: boolean }>(
    `UPDATE chapter_remittances r SET
        reconciliation_amount_cents = coalesce(${WAITING_SQL}, reconciliation_amount_cents),
        processor_payment_id =
          CASE WHEN ${WAITING_SQL} IS NOT NULL OR settled_at IS NOT NULL THEN processor_payment_id END,
        resolved_at = CASE WHEN ${WAITING_SQL} IS NULL THEN clock_timestamp() ELSE resolved_at END,
        reconciliation_note =
          CASE WHEN ${WAITING_SQL} IS NULL THEN 'The processor gave the whole charge back.' ELSE reconciliation_note END
      WHERE r.id = $1 RETURNING ${WAITING_SQL} IS NULL AS resolved`,
    [remittanceId],
  );
  if (resolved) await resolveNotifications('remittance', remittanceId);
}

/** Money that was dealt with by giving it back, and that came back, waits again. */
export async function raiseFlag(captureId: string): Promise<void> {
  const remittanceId = await remittanceOf(captureId);
  if (!remittanceId) return;
  const { at } = await oneRow<{ at: string }>(
    `UPDATE chapter_remittances r SET
        processor_payment_id = coalesce(processor_payment_id, (SELECT intent_id FROM processor_captures WHERE id = $2)),
        reconciliation_flagged_at = clock_timestamp(), reconciliation_amount_cents = ${WAITING_SQL},
        reconciliation_reason = CASE WHEN (${STATUS_SQL}) = 'needs_reconciliation' OR settled_at IS NULL
          THEN coalesce(reconciliation_reason, 'second_capture') ELSE 'second_capture' END
      WHERE r.id = $1 RETURNING ${FLAGGED_AT} AS at`,
    [remittanceId, captureId],
  );
  await tellFlagged(remittanceId, at);
}

const remittanceOf = async (captureId: string): Promise<string | null> =>
  (await findRow(ProcessorCapture, captureId))?.remittance_id ?? null;
