import { audit } from '../database/audit.js';
import { readRow } from '../database/model/read.js';
import { currentOrganization, firstJson, rows } from '../database/rows.js';
import { requireFound } from '../errors.js';
import { notify } from '../notifications/notify.js';
import type { NotificationType } from '../notifications/types.js';
import { issueCredit } from './credit/issueCredit.js';
import { syncUnallocatedCase } from './cases/syncUnallocatedCase.js';
import { lockChargedInvoices } from './captures/lockChargedInvoices.js';
import { lockCreditOfCharge } from './credit/lockCreditOfCharge.js';
import { forwardRestoredCredit } from './credit/moveCredit.js';
import { SPENT_OF_CHARGE } from './credit/spentOfCharge.js';
import { revokeCredit } from './credit/revokeCredit.js';
import { ChapterInvoice } from './invoices/ChapterInvoice.js';
import { notifications } from './notifications.js';
import type { OwnRefund } from './refunds/settleRefunds.js';

export interface RefundOfCharge {
  intentId: string;
  /** Total refunded of this charge so far, as processors report it. */
  refundedCents: number;
  /** The part of `refundedCents` that comes from our own refunds that have just succeeded, by payment. */
  own?: readonly OwnRefund[];
  /**
   * Whether `refundedCents` was read from the provider, and not taken from a webhook event. Only then may it be less
   * than the recorded total, which means that a refund has failed.
   */
  mayBeLess?: boolean;
  /** Whether a dispute takes or returns the money. A dispute revokes only unspent credit. */
  byDispute?: boolean;
}

/** A payment whose refunded amount changes. */
export interface ChangedPayment {
  id: string;
  invoice_id: string;
  delta_cents: number;
  /** Remaining amount of the payment after the change. */
  left_cents: number;
  /** The part of the payment that became credit, in cents. */
  credit_cents: number;
  /** The part of `credit_cents` that the payer has spent. */
  spent_cents?: number;
  /** Total of earlier refunds of this payment that failed. */
  failed_cents: number;
}

/**
 * Sets the refunded amounts of the payments under a charge to the charge's refunded total. A repeated, late or
 * out-of-order report changes nothing. A refund of ours belongs to the payment that it was requested for. Refunds made
 * outside of the platform belong to the charge's only payment, or to all its payments if the whole charge was refunded.
 * If they refund a part of a charge with several payments (children of a remittance), the amount becomes a case until
 * an administrator allocates it. Credit from a refunded payment is revoked first, in every membership to which it
 * moved; the rest of the amount is due again.
 */
export async function recordRefund({
  intentId,
  refundedCents,
  own = [],
  mayBeLess = false,
  byDispute = false,
}: RefundOfCharge): Promise<void> {
  await lockChargedInvoices(intentId);
  const { changed, retold, unallocated_cents, charge, was_disputed } = requireFound(
    await firstJson<Targets>(TARGETS, [currentOrganization(), intentId, refundedCents, mayBeLess]),
  );
  const increased = changed.filter(({ delta_cents }) => delta_cents > 0);
  if (increased.length > 0) await deductRefunds(increased, own, `${refundedCents}`, { byDispute });
  const decreased = changed.filter(({ delta_cents }) => delta_cents < 0);
  if (decreased.length > 0) await lockCreditOfCharge(intentId);
  for (const payment of decreased) await reinstatePayment(payment, byDispute);
  if (retold.length > 0) await touchPayments(retold);
  await notifyPayers(
    byDispute ? notifications.payment_reinstated : notifications.payment_not_refunded,
    `${refundedCents}`,
    decreased,
  );
  if (charge)
    await syncUnallocatedCase(
      { ...charge, intentId },
      was_disputed ? 'dispute_unallocated' : 'refund_unknown',
      unallocated_cents,
    );
}

interface Targets {
  changed: ChangedPayment[];
  /**
   * Payments whose total refunded amount stays the same, while a part of it now counts as refunded outside of the
   * platform or no longer does. Example: a refund made at the provider has replaced a failed refund of ours.
   */
  retold: string[];
  /** The amount that was refunded outside of the platform and that cannot be assigned to one payment. */
  unallocated_cents: number;
  charge: { captureId: string; processorId: string } | null;
  was_disputed: boolean;
}

const TARGETS = `
  WITH ${SPENT_OF_CHARGE},
  captured AS (
    SELECT c.id, c.processor_id, c.disputed_cents FROM processor_captures c WHERE c.organization_id = $1 AND c.intent_id = $2
       AND c.processor_id IN (SELECT processor_id FROM payment_records p WHERE p.organization_id = $1 AND p.intent_id = $2) ORDER BY c.id LIMIT 1),
  payments AS (
    SELECT p.*, CASE WHEN (SELECT disputed_cents FROM captured) > 0 THEN s.cents ELSE 0 END AS spent, coalesce((SELECT sum(r.amount_cents) FROM refunds r WHERE r.organization_id = $1 AND r.payment_record_id = p.id
                             AND r.status = 'succeeded'), 0)::bigint AS own
      FROM payment_records p JOIN spent s ON s.id = p.id
     WHERE p.organization_id = $1 AND p.intent_id = $2 AND p.status = 'succeeded'),
  charge AS (
    SELECT count(*) AS payments, greatest(0, $3::bigint - sum(own)) AS others, sum(refunded_by_others_cents) AS known,
           sum(amount_cents - own) AS room FROM payments),
  targets AS (
    SELECT p.*, (CASE
             -- In a dispute, do not deduct the part of a payment that became credit and was spent. What was deducted
             -- before stays deducted.
             WHEN c.payments = 1 OR c.others >= c.room
               THEN least(amount_cents - own, c.others, greatest(refunded_by_others_cents, amount_cents - own - spent))
             WHEN c.others >= c.known THEN least(amount_cents - own, refunded_by_others_cents)
             -- If refunds outside of the platform now total less than is recorded, the payments with the highest ids
             -- count as paid again first.
             ELSE least(amount_cents - own, refunded_by_others_cents, greatest(0, c.others - coalesce(
                    sum(refunded_by_others_cents) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))
           END)::bigint AS by_others
      FROM payments p CROSS JOIN charge c),
  changed AS (
    SELECT id, invoice_id, own + by_others - refunded_cents AS delta_cents, amount_cents - own - by_others AS left_cents,
           app.credit_of_payment($1, id) AS credit_cents, spent AS spent_cents, refund_failed_cents AS failed_cents
      FROM targets WHERE own + by_others > refunded_cents OR ($4 AND own + by_others < refunded_cents)),
  retold AS (SELECT id FROM targets WHERE own + by_others = refunded_cents AND by_others <> refunded_by_others_cents),
  known AS (SELECT count(*) > 0 AND bool_or(disputed_cents > 0) AS disputed FROM captured)
  SELECT (SELECT coalesce(json_agg(changed ORDER BY id), '[]') FROM changed) AS changed,
         (SELECT coalesce(json_agg(id), '[]') FROM retold) AS retold,
         (SELECT coalesce(CASE WHEN c.payments > 1 OR k.disputed THEN c.others - (SELECT sum(by_others) FROM targets) END, 0) FROM charge c CROSS JOIN known k) AS unallocated_cents,
         (SELECT json_build_object('captureId', id, 'processorId', processor_id) FROM captured) AS charge,
         (SELECT disputed FROM known) AS was_disputed`;

/**
 * Runs an update that changes no value, so that the trigger of the payments computes again which part was refunded
 * outside of the platform.
 */
const touchPayments = (payments: string[]) =>
  rows('UPDATE payment_records SET refunded_cents = refunded_cents WHERE organization_id = $1 AND id = ANY ($2)', [
    currentOrganization(),
    payments,
  ]);

/**
 * Notifies the payers. The total of failed refunds is part of the notification's key. A refund that is made again after
 * it failed is therefore notified again.
 */
const notifyPayers = (type: NotificationType, occasion: string, changed: ChangedPayment[]): Promise<void> => {
  const failed = changed.reduce((sum, { failed_cents }) => sum + failed_cents, 0);
  const payments = changed.map(({ id }) => id);
  return notify(type, payments, { cause: `${type.cause}:${occasion}:${failed}` });
};

/**
 * Deducts the refunded amounts `delta_cents` from payments. The caller has locked their invoices.
 * @param own the part of these amounts that our own refunds made
 * @param occasion distinguishes this change from other changes of the same payments
 * @param options whether a dispute takes the money, whether spent credit stays, and more details for the audit log
 */
export async function deductRefunds(
  payments: ChangedPayment[],
  own: readonly OwnRefund[],
  occasion: string,
  {
    byDispute = false,
    leavesSpent = byDispute,
    auditDetails = {},
  }: { byDispute?: boolean; leavesSpent?: boolean; auditDetails?: Record<string, unknown> } = {},
): Promise<void> {
  const ownRefundCents = (id: string) =>
    own.reduce((sum, { paymentId, cents }) => sum + (paymentId === id ? cents : 0), 0);
  // Revoke credit before the payments change, so that the payer's own invoices are never due in between. A refund of
  // ours revokes only credit that came from the payment after the refund was reserved.
  const credit = payments.map(
    ({ id, delta_cents, credit_cents, left_cents, spent_cents = 0 }) =>
      [
        id,
        leavesSpent
          ? Math.min(delta_cents, Math.max(0, credit_cents - spent_cents))
          : Math.max(delta_cents - ownRefundCents(id), credit_cents - left_cents, 0),
      ] as const,
  );
  await revokeCredit(new Map(credit), byDispute ? 'The payment that it came from is disputed.' : undefined);
  await rows(
    `UPDATE payment_records p SET refunded_cents = p.refunded_cents + g.delta_cents
       FROM jsonb_to_recordset($2) AS g(id uuid, delta_cents bigint) WHERE p.organization_id = $1 AND p.id = g.id`,
    [currentOrganization(), JSON.stringify(payments)],
  );
  for (const { id, invoice_id, delta_cents } of payments) {
    await audit({
      action: byDispute ? 'payment.disputed' : 'payment.refunded',
      subjectType: 'invoice',
      subjectId: invoice_id,
      after: { payment_id: id, refunded_cents: delta_cents, ...auditDetails },
    });
  }
  await notifyPayers(byDispute ? notifications.payment_disputed : notifications.payment_refunded, occasion, payments);
}

/**
 * Counts a payment's money as paid again after a failed refund or a won dispute. The part that exceeds the invoice's
 * balance becomes the payer's credit.
 */
async function reinstatePayment(
  { id, invoice_id: invoiceId, delta_cents }: ChangedPayment,
  byDispute: boolean,
): Promise<void> {
  const cents = -delta_cents;
  const before = await readRow(ChapterInvoice, invoiceId);
  await rows(
    `UPDATE payment_records SET refunded_cents = refunded_cents - $2, refund_failed_cents = refund_failed_cents + $2
      WHERE id = $1`,
    [id, cents],
  );
  await audit({
    action: byDispute ? 'payment.reinstated' : 'payment.refund_failed',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: id, amount_cents: cents },
  });
  if (cents <= before.balance_due_cents) return;
  const payer = { chapterId: before.chapter_id, membershipId: before.membership_id };
  const amountCents = cents - before.balance_due_cents;
  await issueCredit({
    payer,
    amountCents,
    reason: byDispute
      ? 'A dispute was won after its invoice was paid otherwise.'
      : 'A refund did not arrive after its invoice was paid otherwise.',
    from: { paymentRecordId: id, invoiceId },
  });
  await forwardRestoredCredit(payer, { paymentId: id, invoiceId, resolutionId: null }, amountCents);
}
