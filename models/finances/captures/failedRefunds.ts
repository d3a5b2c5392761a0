import { audit } from '../../database/audit.js';
import { oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { notifyOtherAdmins } from '../payment-processors/notifyOtherAdmins.js';

/** A refund that failed or was cancelled, so that the money stays with the provider. */
export interface FailedRefund {
  gatewayRefundId: string;
  failureCode: string;
}

/**
 * Records failed refunds: the decision to refund has failed, and the organization's administrators are notified.
 * @param cents the refunded amount that came back; 0 when nothing came back
 */
export async function recordFailedRefunds(captureId: string, failed: FailedRefund[], cents: number): Promise<void> {
  for (const { gatewayRefundId, failureCode } of failed) {
    await rows(
      `UPDATE capture_resolutions SET status = 'failed', failure_code = $3, finished_at = now()
        WHERE capture_id = $1 AND gateway_refund_id = $2 AND resolution = 'refund' AND status = 'done'`,
      [captureId, gatewayRefundId, failureCode.slice(0, 100)],
    );
  }
  if (cents === 0) return;
  const { intent_id, processor_id } = await oneRow<{ intent_id: string; processor_id: string }>(
    'SELECT intent_id, processor_id FROM processor_captures WHERE id = $1',
    [captureId],
  );
  await audit({
    action: 'capture.refund_failed',
    subjectType: 'processor_capture',
    subjectId: captureId,
    after: { processor_payment_id: intent_id, amount_cents: cents, failure_code: failed[0]?.failureCode ?? null },
  });
  const cause = `refund_failed:${(failed.at(-1)?.gatewayRefundId ?? '').slice(0, 100)}`;
  await notify(notifications.refund_failed, [captureId], { cause });
  await notifyOtherAdmins('payment_refund_failed', processor_id);
}
