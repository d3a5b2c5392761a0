/** What a payer's credit came from: it may have moved with its payer, and each membership has its own part of it. */
import { currentOrganization, rows } from '../../database/rows.js';
import { availableCredit, type Payer } from './payer.js';

/** Money that credit came from: a payment of an invoice, or one that was kept by an administrator's decision. */
export interface CreditSource {
  paymentId: string | null;
  invoiceId: string | null;
  resolutionId: string | null;
}

/** Credit of one payer that came from one source and was neither taken back nor moved on. */
export interface Part extends CreditSource, Payer {
  cents: number;
  /** Of that, what we have given back in this transaction as this payer's. */
  own_cents: number;
}

/** Of these payments or of this decision, part by part: per source, what moved last comes first. */
export const creditParts = ({
  payments = [],
  resolution = null,
}: {
  payments?: string[];
  resolution?: string | null;
}) =>
  rows<Part>(
    `SELECT c.payment_record_id AS "paymentId", min(c.invoice_id::text)::uuid AS "invoiceId", c.capture_resolution_id AS "resolutionId",
            c.chapter_id AS "chapterId", c.membership_id AS "membershipId", sum(${OF_SOURCE})::bigint AS cents,
            coalesce((SELECT sum(r.amount_cents) FROM refunds r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
              WHERE r.organization_id = $1 AND r.payment_record_id = c.payment_record_id AND r.of_credit AND r.status = 'succeeded'
                AND r.finished_at = now() AND coalesce(r.credit_membership_id, i.membership_id) IS NOT DISTINCT FROM c.membership_id), 0)::bigint AS own_cents
       FROM chapter_account_credits c
      WHERE c.organization_id = $1 AND (c.payment_record_id = ANY ($2) OR c.capture_resolution_id = $3)
      GROUP BY c.payment_record_id, c.capture_resolution_id, c.chapter_id, c.membership_id
     HAVING sum(${OF_SOURCE}) > 0
      ORDER BY c.payment_record_id, max(c.id::text) DESC`,
    [currentOrganization(), payments, resolution],
  );

/** SQL of what entry `c` of the ledger adds to the credit that came from its source. */
export const OF_SOURCE = `CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END`;

/**
 * Which parts so many cents of one source are taken from: what we gave back as a payer's own from that payer, then what is unspent,
 * then what was spent. The credit of all of them is held.
 */
export async function divideAmong(parts: readonly Part[], cents: number): Promise<Map<Part, number>> {
  const taken = new Map<Part, number>();
  let left = cents;
  const take = (part: Part, most: number): void => {
    const before = taken.get(part) ?? 0;
    const more = Math.min(left, Math.max(0, Math.min(most, part.cents) - before));
    taken.set(part, before + more);
    left -= more;
  };
  for (const part of parts) take(part, part.own_cents);
  if (parts.length > 1) for (const part of parts) take(part, await availableCredit(part));
  for (const part of parts) take(part, part.cents);
  return taken;
}
