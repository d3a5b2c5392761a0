import { audit } from '../database/audit.js';
import { readRow } from '../database/model/read.js';
import { currentOrganization, rows } from '../database/rows.js';
import { notify } from '../notifications/notify.js';
import type { NotificationType } from '../notifications/types.js';
import { issueCredit } from './credit/issueCredit.js';
import { lockChargedInvoices } from './captures/lockChargedInvoices.js';
import { takeBackCredit } from './credit/takeBackCredit.js';
import { ChapterInvoice } from './invoices/ChapterInvoice.js';
import { told } from './notifications.js';
import type { OwnRefund } from './refunds/settleRefunds.js';

export interface RefundOfCharge {
  intentId: string;
  /** All that was given back of this charge so far, as processors tell it. */
  refundedCents: number;
  /** Of that, what we have given back just now, of which payments. */
  own?: readonly OwnRefund[];
  /** The provider was asked: where it is less than was known, a refund has failed. */
  mayBeLess?: boolean;
}

interface Changed {
  id: string;
  invoice_id: string;
  delta_cents: number;
  /** What is left of it then. */
  left_cents: number;
  /** What of it is credit. */
  credit_cents: number;
  /** Of what was given back before, this much never arrived. */
  failed_cents: number;
}

/**
 * Brings the payments under a charge to what was given back of it. Told again, late or out of order, it changes
 * nothing that is known. What we gave back ourselves is of the payment that it was asked for; what somebody else gave back of a
 * charge of many (a remittance's children) fills them one after another. Then credit that such a payment had become is taken
 * back first, wherever it went; the rest is due again.
 */
export async function recordRefund({
  intentId,
  refundedCents,
  own = [],
  mayBeLess = false,
}: RefundOfCharge): Promise<void> {
  await lockChargedInvoices(intentId);
  const changed = await rows<Changed>(
    `WITH payments AS (
       SELECT p.*, coalesce((SELECT sum(r.amount_cents) FROM refunds r WHERE r.organization_id = $1 AND r.payment_record_id = p.id
                                AND r.status = 'succeeded'), 0)::bigint AS own
         FROM payment_records p WHERE p.organization_id = $1 AND p.intent_id = $2 AND p.status = 'succeeded'),
     targets AS (
       SELECT *, own + least(amount_cents - own, greatest(0, $3::bigint - sum(own) OVER () - coalesce(
                sum(amount_cents - own) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))::bigint AS target
         FROM payments)
     SELECT id, invoice_id, target - refunded_cents AS delta_cents, amount_cents - target AS left_cents,
            app.credit_of_payment($1, id) AS credit_cents, refund_failed_cents AS failed_cents
       FROM targets WHERE target > refunded_cents OR ($4 AND target < refunded_cents) ORDER BY id`,
    [currentOrganization(), intentId, refundedCents, mayBeLess],
  );
  const grown = changed.filter(({ delta_cents }) => delta_cents > 0);
  if (grown.length > 0) {
    await giveBack(grown, own);
    await tell(told.payment_refunded, refundedCents, grown);
  }
  const fallen = changed.filter(({ delta_cents }) => delta_cents < 0);
  for (const one of fallen) await takeAgain(one);
  await tell(told.payment_not_refunded, refundedCents, fallen);
}

/** As much may be given back once more when it did not arrive: that is another fact. */
const tell = (type: NotificationType, refundedCents: number, changed: Changed[]): Promise<void> => {
  const failed = changed.reduce((sum, { failed_cents }) => sum + failed_cents, 0);
  const payments = changed.map(({ id }) => id);
  return notify(type, payments, { cause: `${type.cause}:${refundedCents}:${failed}` });
};

async function giveBack(grown: Changed[], own: readonly OwnRefund[]): Promise<void> {
  const ofOurs = (id: string) => own.reduce((sum, { paymentId, cents }) => sum + (paymentId === id ? cents : 0), 0);
  // Before the payments: their own invoices are then never due in between. What we give back ourselves touches no credit, but
  // for what came of the payment since it was reserved.
  const credit = grown.map(
    ({ id, delta_cents, credit_cents, left_cents }) =>
      [id, Math.max(delta_cents - ofOurs(id), credit_cents - left_cents, 0)] as const,
  );
  await takeBackCredit(new Map(credit));
  await rows(
    `UPDATE payment_records p SET refunded_cents = p.refunded_cents + g.delta_cents
       FROM jsonb_to_recordset($2) AS g(id uuid, delta_cents bigint) WHERE p.organization_id = $1 AND p.id = g.id`,
    [currentOrganization(), JSON.stringify(grown)],
  );
  for (const { id, invoice_id, delta_cents } of grown) {
    await audit({
      action: 'payment.refunded',
      subjectType: 'invoice',
      subjectId: invoice_id,
      after: { payment_id: id, refunded_cents: delta_cents },
    });
  }
}

/** A refund that failed pays the invoice again; what is not due there any more becomes the payer's credit. */
async function takeAgain({ id, invoice_id: invoiceId, delta_cents }: Changed): Promise<void> {
  const cents = -delta_cents;
  const before = await readRow(ChapterInvoice, invoiceId);
  await rows(
    `UPDATE payment_records SET refunded_cents = refunded_cents - $2, refund_failed_cents = refund_failed_cents + $2
      WHERE id = $1`,
    [id, cents],
  );
  await audit({
    action: 'payment.refund_failed',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: id, amount_cents: cents },
  });
  if (cents <= before.balance_due_cents) return;
  await issueCredit({
    payer: { chapterId: before.chapter_id, membershipId: before.membership_id },
    amountCents: cents - before.balance_due_cents,
    reason: 'A refund did not arrive after its invoice was paid otherwise.',
    from: { paymentRecordId: id, invoiceId },
  });
}
