import { audit } from '../database/audit.js';
import { currentOrganization, rows } from '../database/rows.js';

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
 * Credit that such a payment had become is taken back as far as it is unspent; the rest is due again.
 */
export async function recordRefund({ intentId, refundedCents }: Refund): Promise<void> {
  await rows(
    `SELECT i.id FROM chapter_invoices i
      WHERE i.id IN (SELECT invoice_id FROM payment_records WHERE intent_id = $1) ORDER BY i.id FOR UPDATE`,
    [intentId],
  );
  const grown = await rows<Grown>(
    `UPDATE payment_records p SET refunded_cents = s.target
       FROM (SELECT id, refunded_cents AS known, least(amount_cents, greatest(0, $2::bigint -
                      coalesce(sum(amount_cents) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))) AS target
               FROM payment_records WHERE intent_id = $1 AND status = 'succeeded') s
      WHERE p.id = s.id AND s.target > s.known
      RETURNING p.id, p.invoice_id, (s.target - s.known)::bigint AS delta_cents`,
    [intentId, refundedCents],
  );
  for (const { id, invoice_id, delta_cents } of grown.toSorted((a, b) => a.id.localeCompare(b.id))) {
    await takeBackCredit(id, delta_cents);
    await audit({
      action: 'payment.refunded',
      subjectType: 'invoice',
      subjectId: invoice_id,
      after: { payment_id: id, refunded_cents: delta_cents },
    });
  }
}

/** What the payment had become credit, and is still there, goes back with the money. */
async function takeBackCredit(paymentId: string, refundedCents: number): Promise<void> {
  const payers = await rows(
    `SELECT app.lock_credit(chapter_id, membership_id) FROM chapter_account_credits
      WHERE payment_record_id = $1 AND kind = 'issued'`,
    [paymentId],
  );
  if (payers.length === 0) return;
  await rows(
    `INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, payment_record_id, reason)
     SELECT $1, chapter_id, payer_type, membership_id, 'refunded', cents, invoice_id, $2, 'The payment that it came from was refunded.'
       FROM (SELECT c.chapter_id, c.payer_type, c.membership_id, c.invoice_id,
                    least(sum(app.credit_effect(c)), app.credit_balance(c.chapter_id, c.membership_id), $3::bigint) AS cents
               FROM chapter_account_credits c WHERE c.payment_record_id = $2
              GROUP BY c.chapter_id, c.payer_type, c.membership_id, c.invoice_id) live
      WHERE cents > 0`,
    [currentOrganization(), paymentId, refundedCents],
  );
}
