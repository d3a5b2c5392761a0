/** Decides and closes an officer's refund request. */
import { refundRequest } from '../../../workflows/contracts/index.js';
import { REQUEST_CHANGED } from '../../../workflows/contracts/refundRequest.js';
import { editRow, now, requireVersion } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { requireOtherPerson } from '../../organizations/requests/decide.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { notifications } from '../notifications.js';
import { auditRefundRequest, type RefundRequest } from './RefundRequest.js';
import { reserveRefunds } from './reserveRefunds.js';

export interface RefundReview {
  decision: 'approve' | 'refuse';
  notes?: string | undefined;
  waive?: boolean | undefined;
  version?: number | undefined;
}

/**
 * Decides a locked request. An approval reserves the money, as when an administrator starts a refund. If the money
 * cannot be reserved, the call fails and the request stays pending.
 * @throws Refusal own_request, request_closed, stale_version; those of `reserveRefunds`
 */
export async function reviewRefundRequest(request: RefundRequest, userId: string, review: RefundReview): Promise<void> {
  const { decision, notes = null, waive, version } = review;
  requireOtherPerson(request.requested_by, userId);
  if (request.status !== 'pending') throw requestErrors.request_closed();
  requireVersion(request, version);
  const { invoice_id, amount_cents, payment_record_id: payment, reason, reference } = request;
  const approved = decision === 'approve';
  if (approved) {
    const requested = { amount_cents, payment, reason, reference, waive, requestId: request.id, mayTellAmounts: true };
    await reserveRefunds(invoice_id, requested);
  }
  await closeRefundRequest(request, approved ? 'approved' : 'refused', {
    reviewed_by: userId,
    reviewed_at: now,
    review_notes: notes,
  });
  await notify(notifications.refund_decided, [request.id]);
}

/**
 * Withdraws a locked request on behalf of its requester.
 * @throws Refusal request_closed
 */
export async function withdrawRefundRequest(request: RefundRequest): Promise<void> {
  if (request.status !== 'pending') throw requestErrors.request_closed();
  await closeRefundRequest(request, 'withdrawn');
}

/** Closes a locked request and ends its workflow. */
export async function closeRefundRequest(
  request: RefundRequest,
  status: RefundRequest['status'],
  changes: Partial<RefundRequest> = {},
) {
  await editRow(request, { status, closed_at: now, ...changes });
  await auditRefundRequest(request, status);
  await resolveNotifications('refund_request', request.id);
  await enqueue(refundRequest, { requestId: request.id }, { signal: REQUEST_CHANGED });
}
