/** What becomes of a refund that an officer asked for. */
import { refundRequest } from '../../../workflows/contracts/index.js';
import { LOOK_AGAIN } from '../../../workflows/contracts/refundRequest.js';
import { editRow, now, requireVersion } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { told } from '../notifications.js';
import { auditRequest, type RefundRequest } from './RefundRequest.js';
import { reserveRefunds } from './reserveRefunds.js';

export interface RefundReview {
  decision: 'approve' | 'refuse';
  notes?: string | undefined;
  waive?: boolean | undefined;
  version?: number | undefined;
}

/**
 * Decides a locked request. Approved, the money is reserved as by the administrator's own hand: what would refuse that refuses the
 * approval, and the request goes on waiting.
 * @throws Refusal own_request, request_closed, stale_version; those of `reserveRefunds`
 */
export async function reviewRequest(request: RefundRequest, userId: string, review: RefundReview): Promise<void> {
  const { decision, notes = null, waive, version } = review;
  if (request.requested_by === userId) throw requestErrors.own_request();
  if (request.status !== 'pending') throw requestErrors.request_closed();
  requireVersion(request, version);
  const { invoice_id, amount_cents, payment_record_id: payment, reason, reference } = request;
  const approved = decision === 'approve';
  if (approved) {
    const wanted = { amount_cents, payment, reason, reference, waive, requestId: request.id, tellsAmounts: true };
    await reserveRefunds(invoice_id, wanted);
  }
  await closeRequest(request, approved ? 'approved' : 'refused', {
    reviewed_by: userId,
    reviewed_at: now,
    review_notes: notes,
  });
  await notify(told.refund_decided, [request.id]);
}

/** Whoever asked takes a locked request back. @throws Refusal request_closed */
export async function withdrawRequest(request: RefundRequest): Promise<void> {
  if (request.status !== 'pending') throw requestErrors.request_closed();
  await closeRequest(request, 'withdrawn');
}

/** Ends a locked request; its process ends at once. */
export async function closeRequest(
  request: RefundRequest,
  status: RefundRequest['status'],
  more: Partial<RefundRequest> = {},
) {
  await editRow(request, { status, closed_at: now, ...more });
  await auditRequest(request, status);
  await resolveNotifications('refund_request', request.id);
  await enqueue(refundRequest, { requestId: request.id }, { signal: LOOK_AGAIN });
}
