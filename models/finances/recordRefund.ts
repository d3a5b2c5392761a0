import { audit } from '../database/audit.js';
import { readRow } from '../database/model/read.js';
import { currentOrganization, rows } from '../database/rows.js';
import { notify } from '../notifications/notify.js';
import type { NotificationType } from '../notifications/types.js';
import { issueCredit } from './credit/issueCredit.js';
import { takeBackCredit } from './credit/takeBackCredit.js';
import { ChapterInvoice } from './invoices/ChapterInvoice.js';
import { told } from './notifications.js';

export interface Refund {
  intentId: string;
  /** All that was given back of this charge so far, as processors tell it. */
  refundedCents: number;
  /** The provider was asked: where it is less than was known, a refund has failed. */
  mayBeLess?: boolean;
}

interface Changed {
  id: string;
  invoice_id: string;
  delta_cents: number;
  /** Of what was given back before, this much never arrived. */
  failed_cents: number;
}

/**
 * Brings the payments under a charge to what was given back of it. Told again, late or out of order, it changes
 * nothing that is known. Payments of one charge (a remittance's children) are filled one after another.
 * Credit that such a payment had become is taken back first, wherever it went; the rest is due again.
 */
export async function recordRefund({ intentId, refundedCents, mayBeLess = false }: Refund): Promise<void> {
  await lockInvoices(intentId);
  const changed = await rows<Changed>(
    `SELECT id, invoice_id, target - known AS delta_cents, failed_cents FROM (
       SELECT id, invoice_id, refunded_cents AS known, refund_failed_cents AS failed_cents, least(amount_cents, greatest(0, $3::bigint -
                coalesce(sum(amount_cents) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))::bigint AS target
         FROM payment_records WHERE organization_id = $1 AND intent_id = $2 AND status = 'succeeded') filled
      WHERE target > known OR ($4 AND target < known) ORDER BY id`,
    [currentOrganization(), intentId, refundedCents, mayBeLess],
  );
  const grown = changed.filter(({ delta_cents }) => delta_cents > 0);
  if (grown.length > 0) {
    await giveBack(grown);
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

async function giveBack(grown: Changed[]): Promise<void> {
  // Before the payments: their own invoices are then never due in between.
  await takeBackCredit(new Map(grown.map(({ id, delta_cents }) => [id, delta_cents])));
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

/**
 * The invoices of a charge's payments, and those that their payers paid from credit where such a payment became credit:
 * all of them before any credit, in the order in which everybody locks. One that is paid from credit only now is locked
 * later; should that meet somebody the other way round, Postgres ends one of the two, and an event is applied again.
 */
const lockInvoices = (intentId: string): Promise<unknown> =>
  rows(
    `WITH payments AS (
       SELECT p.id, p.invoice_id FROM payment_records p WHERE p.organization_id = $1 AND p.intent_id = $2)
     SELECT i.id FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.id IN (
        SELECT invoice_id FROM payments
        UNION
        SELECT applied.invoice_id FROM payments
          JOIN chapter_account_credits c ON c.organization_id = $1 AND c.payment_record_id = payments.id AND c.kind = 'issued'
          JOIN chapter_account_credits applied ON applied.organization_id = $1 AND applied.chapter_id = c.chapter_id
           AND applied.membership_id IS NOT DISTINCT FROM c.membership_id AND applied.kind = 'applied')
      ORDER BY i.id FOR UPDATE`,
    [currentOrganization(), intentId],
  );
