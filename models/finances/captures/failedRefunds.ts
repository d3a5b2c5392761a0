import { audit } from '../../database/audit.js';
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { notifyOtherAdmins } from '../payment-processors/notifyOtherAdmins.js';
import type { MarkedRefund } from '../refunds/settleRefunds.js';

/** A refund that failed or was cancelled, so that the money stays with the provider. */
export interface FailedRefund {
  gatewayRefundId: string;
  failureCode: string;
}

/**
 * Ends the pending refunds of a capture whose outcome the provider reports. The process of such a refund looks only
 * once an hour, and until its row has ended no other refund of the capture can be requested.
 * @param marked all refunds of the charge at the provider that have one of our ids
 * @returns the amount of the refunds that ended as failed, in cents
 */
export async function endPendingRefunds(captureId: string, marked: readonly MarkedRefund[]): Promise<number> {
  let failedCents = 0;
  for (const { refundId, status, gatewayRefundId, failureCode } of marked) {
    if (status === 'pending') continue;
    const isFailed = status === 'failed';
    const ended = await firstRow<{ intent_id: string; amount_cents: number }>(
      `UPDATE capture_resolutions r SET status = $3, gateway_refund_id = $4, failure_code = $5, finished_at = now()
         FROM processor_captures c
        WHERE r.capture_id = $1 AND r.id = $2 AND r.resolution = 'refund' AND r.status = 'pending'
          AND c.organization_id = r.organization_id AND c.id = r.capture_id RETURNING c.intent_id, r.amount_cents`,
      [
        captureId,
        refundId,
        isFailed ? 'failed' : 'done',
        gatewayRefundId,
        isFailed ? (failureCode ?? 'refund_failed').slice(0, 100) : null,
      ],
    );
    if (!ended) continue;
    const { intent_id, amount_cents } = ended;
    if (isFailed) failedCents += amount_cents;
    else
      await audit({
        action: 'capture.refunded',
        subjectType: 'processor_capture',
        subjectId: captureId,
        after: { processor_payment_id: intent_id, amount_cents, refund: gatewayRefundId },
      });
  }
  return failedCents;
}

/**
 * Records failed refunds: the decision to refund has failed, and the organization's administrators are notified.
 * @param cents the amount of the failed refunds: what came back, or what was never refunded; 0 when none has just failed
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
