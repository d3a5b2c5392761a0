import { audit } from '../database/audit.js';
import { currentOrganization, rows } from '../database/rows.js';
import { takeBackCredit } from './credit/takeBackCredit.js';

export interface Refund {
  intentId: string;
  /** All that was given back of this charge so far, as processors tell it. */
  refundedCents: number;
}

interface Grown {
  id: string;
  invoice_id: string;
  delta_cents: number;
}

/**
 * Brings the payments under a charge up to what was given back of it. Told again, late or out of order, it changes
 * nothing that is known. Payments of one charge (a remittance's children) are filled one after another.
 * Credit that such a payment had become is taken back first, wherever it went; the rest is due again.
 */
export async function recordRefund({ intentId, refundedCents }: Refund): Promise<void> {
  await lockInvoices(intentId);
  const grown = await rows<Grown>(
    `SELECT id, invoice_id, target - known AS delta_cents FROM (
       SELECT id, invoice_id, refunded_cents AS known, least(amount_cents, greatest(0, $3::bigint -
                coalesce(sum(amount_cents) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))::bigint AS target
         FROM payment_records WHERE organization_id = $1 AND intent_id = $2 AND status = 'succeeded') filled
      WHERE target > known ORDER BY id`,
    [currentOrganization(), intentId, refundedCents],
  );
  if (grown.length === 0) return;
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
