/** What an officer gives back without asking, and what they have to ask for. */
import { refundRequest } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { lockCredit } from '../credit/payer.js';
import { readDuesSettings } from '../dues-settings/duesSettings.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';
import { holdRefundable } from './refundable.js';
import { auditRequest, RefundRequest } from './RefundRequest.js';
import { centsOf, partsOf, type Reserved, reserveParts, type WantedRefund } from './reserveRefunds.js';

export type Asked = { requestId: string };

/**
 * Gives back what an officer may without being asked, else files a request for it: then nothing is reserved.
 * @param asks whatever the amount: it is their own invoice, or they see no amounts
 * @throws Refusal not_found, invoice_void, nothing_to_refund, refund_exceeds_refundable, refund_request_pending, validation_error
 */
export async function refundAsOfficer(
  invoiceId: string,
  wanted: WantedRefund,
  { asks }: { asks: boolean },
): Promise<Reserved | Asked> {
  const { invoice, payments } = await holdRefundable(invoiceId);
  const parts = partsOf(payments, wanted);
  const cents = centsOf(parts);
  if (!asks && (await isWithinCap(invoice, cents))) return reserveParts(invoiceId, parts, wanted);
  const { tellsAmounts, payment, reason, reference } = wanted;
  const request = await createRow(RefundRequest, {
    invoice_id: invoiceId,
    payment_record_id: payment ?? null,
    // Whoever sees no amounts asks for all that there is.
    amount_cents: tellsAmounts ? cents : null,
    reason,
    reference: reference ?? null,
    requested_by: officer(),
  });
  await auditRequest(request, 'filed');
  await notify(told.refund_requested, [request.id]);
  await enqueue(refundRequest, { requestId: request.id });
  return { requestId: request.id };
}

const officer = (): string => currentScope().origin.userId as string;

/**
 * What the same officer gave back without approval counts with it: of this invoice ever, and to this payer within thirty days.
 * Counted under the payer's lock, so that of two at once that are too much together one asks.
 */
async function isWithinCap({ id, chapter_id, membership_id }: ChapterInvoice, cents: number): Promise<boolean> {
  await lockCredit({ chapterId: chapter_id, membershipId: membership_id });
  const { before } = await oneRow<{ before: number }>(
    `SELECT coalesce(sum(r.amount_cents), 0)::bigint AS before
       FROM refunds r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
      WHERE r.organization_id = $1 AND r.requested_by = $2 AND r.request_id IS NULL AND r.status <> 'failed'
        AND (r.invoice_id = $3 OR (i.chapter_id = $4 AND i.membership_id IS NOT DISTINCT FROM $5::uuid
          AND r.created_at > now() - interval '30 days'))`,
    [currentOrganization(), officer(), id, chapter_id, membership_id],
  );
  return before + cents <= (await readDuesSettings()).refund_cap_per_officer_cents;
}
