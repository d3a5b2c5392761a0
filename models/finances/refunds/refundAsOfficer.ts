/**
 * Refunds payments on behalf of an officer. A refund above the officer's cap becomes a request that an administrator
 * decides.
 */
import { refundRequest } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { lockCredit } from '../credit/payer.js';
import { readDuesSettings } from '../dues-settings/duesSettings.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';
import { lockRefundable } from './refundable.js';
import { auditRefundRequest, RefundRequest } from './RefundRequest.js';
import {
  totalCents,
  divideAmongPayments,
  type ReservedRefunds,
  reserveParts,
  type RequestedRefund,
} from './reserveRefunds.js';

export type FiledRequest = { requestId: string };

/**
 * Refunds a payment if the officer needs no approval; otherwise files a request, which reserves nothing.
 * @param options `needsApproval`: whether approval is needed for any amount, because it is the officer's own invoice or
 * they see no amounts
 * @throws Refusal not_found, invoice_void, nothing_to_refund, refund_exceeds_refundable, refund_request_pending,
 * validation_error
 */
export async function refundAsOfficer(
  invoiceId: string,
  requested: RequestedRefund,
  { needsApproval }: { needsApproval: boolean },
): Promise<ReservedRefunds | FiledRequest> {
  const { invoice, payments } = await lockRefundable(invoiceId);
  const parts = divideAmongPayments(payments, requested);
  const cents = totalCents(parts);
  if (!needsApproval && (await isWithinCap(invoice, cents))) return reserveParts(invoiceId, parts, requested);
  const { mayTellAmounts, payment, reason, reference } = requested;
  const request = await createRow(RefundRequest, {
    invoice_id: invoiceId,
    payment_record_id: payment ?? null,
    // Null requests everything that is refundable. An officer who sees no amounts cannot request a smaller part.
    amount_cents: mayTellAmounts ? cents : null,
    reason,
    reference: reference ?? null,
    requested_by: actingOfficer(),
  });
  await auditRefundRequest(request, 'filed');
  await notify(notifications.refund_requested, [request.id]);
  await enqueue(refundRequest, { requestId: request.id });
  return { requestId: request.id };
}

const actingOfficer = (): string => currentScope().origin.userId as string;

/**
 * Reports whether a refund is within the officer's cap. The officer's earlier refunds without approval count as well:
 * all of this invoice, and those to this payer within thirty days. The payer's lock serializes concurrent refunds, so
 * that only one of them can use the rest of the cap.
 */
async function isWithinCap({ id, chapter_id, membership_id }: ChapterInvoice, cents: number): Promise<boolean> {
  await lockCredit({ chapterId: chapter_id, membershipId: membership_id });
  const { before } = await oneRow<{ before: number }>(
    `SELECT coalesce(sum(r.amount_cents), 0)::bigint AS before
       FROM refunds r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
      WHERE r.organization_id = $1 AND r.requested_by = $2 AND r.request_id IS NULL AND r.status <> 'failed'
        AND (r.invoice_id = $3 OR (i.chapter_id = $4 AND i.membership_id IS NOT DISTINCT FROM $5::uuid
          AND r.created_at > now() - interval '30 days'))`,
    [currentOrganization(), actingOfficer(), id, chapter_id, membership_id],
  );
  return before + cents <= (await readDuesSettings()).refund_cap_per_officer_cents;
}
