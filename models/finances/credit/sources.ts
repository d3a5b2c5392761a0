/**
 * Reads where a payer's credit came from. After a transfer, credit from one source may be spread over several
 * memberships of the person, and each membership holds its own part.
 */
import { currentOrganization, rows } from '../../database/rows.js';
import { readAvailableCredit, type Payer } from './payer.js';

/** The source of credit: a payment of an invoice, or an unmatched payment that an administrator kept as credit. */
export interface CreditSource {
  paymentId: string | null;
  invoiceId: string | null;
  resolutionId: string | null;
}

/** Credit of one payer from one source, less the amounts that were revoked or moved. */
export interface CreditPart extends CreditSource, Payer {
  cents: number;
  /**
   * The part of this credit whose money has gone back to the payer through refunds of credit, counting only refunds
   * that completed in this transaction.
   */
  own_cents: number;
}

/**
 * Reads the credit parts that came from these payments, or from one decision to keep an unmatched payment as credit.
 * Per source, the part that moved last comes first.
 */
export const readCreditParts = ({
  payments = [],
  resolution = null,
}: {
  payments?: string[];
  resolution?: string | null;
}) =>
  rows<CreditPart>(
    `SELECT c.payment_record_id AS "paymentId", min(c.invoice_id::text)::uuid AS "invoiceId", c.capture_resolution_id AS "resolutionId",
            c.chapter_id AS "chapterId", c.membership_id AS "membershipId", sum(${SOURCE_EFFECT_SQL})::bigint AS cents,
            coalesce((SELECT sum(r.amount_cents) FROM refunds r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
              WHERE r.organization_id = $1 AND r.payment_record_id = c.payment_record_id AND r.of_credit AND r.status = 'succeeded'
                AND r.finished_at = now() AND coalesce(r.credit_membership_id, i.membership_id) IS NOT DISTINCT FROM c.membership_id), 0)::bigint AS own_cents
       FROM chapter_account_credits c
      WHERE c.organization_id = $1 AND (c.payment_record_id = ANY ($2) OR c.capture_resolution_id = $3)
      GROUP BY c.payment_record_id, c.capture_resolution_id, c.chapter_id, c.membership_id
     HAVING sum(${SOURCE_EFFECT_SQL}) > 0
      ORDER BY c.payment_record_id, max(c.id::text) DESC`,
    [currentOrganization(), payments, resolution],
  );

/** SQL: the amount by which ledger entry `c` changes the credit from its source. */
export const SOURCE_EFFECT_SQL = `CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END`;

/**
 * Divides an amount of credit that is to be taken back among the payers who hold credit from one source. It takes first
 * the credit whose refund to its payer has completed in this transaction, then unspent credit, then spent credit. The
 * caller has locked the credit of all these payers.
 */
export async function divideAmongParts(parts: readonly CreditPart[], cents: number): Promise<Map<CreditPart, number>> {
  const centsByPart = new Map<CreditPart, number>();
  let remaining = cents;
  const take = (part: CreditPart, maxCents: number): void => {
    const before = centsByPart.get(part) ?? 0;
    const more = Math.min(remaining, Math.max(0, Math.min(maxCents, part.cents) - before));
    centsByPart.set(part, before + more);
    remaining -= more;
  };
  for (const part of parts) take(part, part.own_cents);
  if (parts.length > 1) for (const part of parts) take(part, await readAvailableCredit(part));
  for (const part of parts) take(part, part.cents);
  return centsByPart;
}
