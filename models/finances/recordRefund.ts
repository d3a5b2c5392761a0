import { audit } from '../database/audit.js';
import { readRow } from '../database/model/read.js';
import { currentOrganization, firstJson, rows } from '../database/rows.js';
import { found } from '../errors.js';
import { notify } from '../notifications/notify.js';
import type { NotificationType } from '../notifications/types.js';
import { issueCredit } from './credit/issueCredit.js';
import { keepUnallocated } from './cases/keepUnallocated.js';
import { lockChargedInvoices } from './captures/lockChargedInvoices.js';
import { lockCreditOfCharge } from './credit/lockCreditOfCharge.js';
import { followCredit } from './credit/moveCredit.js';
import { SPENT_OF_CHARGE } from './credit/spentOfCharge.js';
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
  /** A dispute takes it, or gives it back: of credit it takes what is unspent, and no more. */
  byDispute?: boolean;
}

/** What goes back of a payment, or comes again. */
export interface Changed {
  id: string;
  invoice_id: string;
  delta_cents: number;
  /** What is left of it then. */
  left_cents: number;
  /** What of it is credit. */
  credit_cents: number;
  /** Of that, what its payer has spent. */
  spent_cents?: number;
  /** Of what was given back before, this much never arrived. */
  failed_cents: number;
}

/**
 * Brings the payments under a charge to what was given back of it. Told again, late or out of order, it changes
 * nothing that is known. What we gave back ourselves is of the payment that it was asked for. What others gave back is of the charge's one
 * payment, or of all of them where all of it went back; a part of a charge of many (a remittance's children) names none of them, and is a
 * case until somebody says whose it is. Then credit that such a payment had become is taken back first, wherever it went; the rest is due again.
 */
export async function recordRefund({
  intentId,
  refundedCents,
  own = [],
  mayBeLess = false,
  byDispute = false,
}: RefundOfCharge): Promise<void> {
  await lockChargedInvoices(intentId);
  const { changed, retold, unallocated_cents, charge, was_disputed } = found(
    await firstJson<Targets>(TARGETS, [currentOrganization(), intentId, refundedCents, mayBeLess]),
  );
  const grown = changed.filter(({ delta_cents }) => delta_cents > 0);
  if (grown.length > 0) await takeFrom(grown, own, `${refundedCents}`, { byDispute });
  const fallen = changed.filter(({ delta_cents }) => delta_cents < 0);
  if (fallen.length > 0) await lockCreditOfCharge(intentId);
  for (const one of fallen) await takeAgain(one, byDispute);
  if (retold.length > 0) await tellWhose(retold);
  await tell(byDispute ? told.payment_reinstated : told.payment_not_refunded, `${refundedCents}`, fallen);
  if (charge)
    await keepUnallocated(
      { ...charge, intentId },
      was_disputed ? 'dispute_unallocated' : 'refund_unknown',
      unallocated_cents,
    );
}

interface Targets {
  changed: Changed[];
  /** Payments of which as much is gone as before, and others have taken what a refund of ours left. */
  retold: string[];
  /** What others gave back, and no payment is known to have lost. */
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
             -- credit that was spent keeps more from being taken, and gives nothing back of what was
             WHEN c.payments = 1 OR c.others >= c.room
               THEN least(amount_cents - own, c.others, greatest(refunded_by_others_cents, amount_cents - own - spent))
             WHEN c.others >= c.known THEN least(amount_cents - own, refunded_by_others_cents)
             -- less than before: what went back last is here again first
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

/** What others gave back follows from what went back, whenever that is written. */
const tellWhose = (payments: string[]) =>
  rows('UPDATE payment_records SET refunded_cents = refunded_cents WHERE organization_id = $1 AND id = ANY ($2)', [
    currentOrganization(),
    payments,
  ]);

/** As much may be given back once more when it did not arrive: that is another fact. */
const tell = (type: NotificationType, occasion: string, changed: Changed[]): Promise<void> => {
  const failed = changed.reduce((sum, { failed_cents }) => sum + failed_cents, 0);
  const payments = changed.map(({ id }) => id);
  return notify(type, payments, { cause: `${type.cause}:${occasion}:${failed}` });
};

/**
 * Takes from payments what went back of them, in `delta_cents`; their invoices are held.
 * @param own what of it we gave back ourselves
 * @param occasion tells this time from another of the same payments
 * @param how whether a dispute takes it, and leaves credit that was spent; and what the log says beside it
 */
export async function takeFrom(
  grown: Changed[],
  own: readonly OwnRefund[],
  occasion: string,
  {
    byDispute = false,
    leavesSpent = byDispute,
    said = {},
  }: { byDispute?: boolean; leavesSpent?: boolean; said?: Record<string, unknown> } = {},
): Promise<void> {
  const ofOurs = (id: string) => own.reduce((sum, { paymentId, cents }) => sum + (paymentId === id ? cents : 0), 0);
  // Before the payments: their own invoices are then never due in between. What we give back ourselves touches no credit, but
  // for what came of the payment since it was reserved.
  const credit = grown.map(
    ({ id, delta_cents, credit_cents, left_cents, spent_cents = 0 }) =>
      [
        id,
        leavesSpent
          ? Math.min(delta_cents, Math.max(0, credit_cents - spent_cents))
          : Math.max(delta_cents - ofOurs(id), credit_cents - left_cents, 0),
      ] as const,
  );
  await takeBackCredit(new Map(credit), byDispute ? 'The payment that it came from is disputed.' : undefined);
  await rows(
    `UPDATE payment_records p SET refunded_cents = p.refunded_cents + g.delta_cents
       FROM jsonb_to_recordset($2) AS g(id uuid, delta_cents bigint) WHERE p.organization_id = $1 AND p.id = g.id`,
    [currentOrganization(), JSON.stringify(grown)],
  );
  for (const { id, invoice_id, delta_cents } of grown) {
    await audit({
      action: byDispute ? 'payment.disputed' : 'payment.refunded',
      subjectType: 'invoice',
      subjectId: invoice_id,
      after: { payment_id: id, refunded_cents: delta_cents, ...said },
    });
  }
  await tell(byDispute ? told.payment_disputed : told.payment_refunded, occasion, grown);
}

/** A refund that failed, or money that a dispute gives back, pays the invoice again; what is not due there any more becomes the payer's credit. */
async function takeAgain({ id, invoice_id: invoiceId, delta_cents }: Changed, byDispute: boolean): Promise<void> {
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
  await followCredit(payer, { paymentId: id, invoiceId, resolutionId: null }, amountCents);
}
