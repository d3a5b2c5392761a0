/** Refunds credit to the charges that it came from. */
import { refund as refundProcess } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { financesErrors } from '../errors.js';
import { Refund } from '../refunds/Refund.js';
import type { ReservedRefunds } from '../refunds/reserveRefunds.js';
import { readAvailableCredit, lockCredit, type Payer } from './payer.js';
import { SOURCE_EFFECT_SQL } from './sources.js';
import { writeEntry } from './writeEntry.js';

interface CreditPayment {
  payment_id: string;
  invoice_id: string;
  capture_id: string;
  provider: string;
  /** The payer's credit that came from the payment. */
  cents: number;
  /** The membership that holds the credit now; null if it is still the membership of the invoice. */
  moved_to: string | null;
  /** Refundable amount of the charge, for all its payments together. */
  charge_cents: number;
}

/**
 * Reserves a payer's credit for refunds to the charges that it came from, newest first, because the oldest credit
 * counts as spent first. All refunds are committed before a provider is asked; reserved credit cannot be spent.
 * @param amountCents default: all credit that came from charges
 * @throws Refusal credit_not_available, credit_refund_in_progress, credit_refund_unimplemented
 */
export async function refundCredit(
  payer: Payer,
  { amountCents, reason }: { amountCents?: number | undefined; reason: string },
): Promise<ReservedRefunds> {
  const sources = await lockSources(payer);
  const maxCents = Math.min(await readAvailableCredit(payer), sumOf(sources));
  const requestedCents = amountCents ?? maxCents;
  if (requestedCents === 0 || requestedCents > maxCents) throw financesErrors.credit_not_available();
  const parts = takeNewest(sources, requestedCents);
  if (!parts.every(isImplemented)) throw financesErrors.credit_refund_unimplemented();
  return reserveAll(parts, { reason, requestedBy: currentScope().origin.userId as string });
}

/**
 * Refunds all credit of a leaving payer that can be refunded automatically. Credit stays if it came from no charge, or
 * from a provider for which refunds of credit are not implemented.
 * @param request the reason, and the user to record as requester
 * @returns the cents in pending refunds
 * @throws Refusal credit_refund_in_progress
 */
export async function refundAllCredit(payer: Payer, request: { reason: string; requestedBy: string }): Promise<number> {
  const sources = (await lockSources(payer)).filter(isImplemented);
  const parts = takeNewest(sources, await readAvailableCredit(payer));
  await reserveAll(parts, request);
  return sumOf(parts);
}

const isImplemented = ({ provider }: CreditPayment) => provider === 'stripe';
const sumOf = (sources: readonly CreditPayment[]): number => sources.reduce((sum, { cents }) => sum + cents, 0);

/** Selects the newest payments that together cover this amount. The last one may be selected in part. */
function takeNewest(sources: readonly CreditPayment[], cents: number): CreditPayment[] {
  let remaining = cents;
  return sources.flatMap((source) => {
    const part = Math.min(source.cents, remaining);
    remaining -= part;
    return part > 0 ? [{ ...source, cents: part }] : [];
  });
}

async function reserveAll(
  parts: readonly CreditPayment[],
  request: { reason: string; requestedBy: string },
): Promise<ReservedRefunds> {
  const refunds: string[] = [];
  for (const part of parts) refunds.push(await reserve(part, request));
  const workflowIds: string[] = [];
  for (const refundId of refunds) workflowIds.push(await enqueue(refundProcess, { refundId }));
  return { refunds, workflowIds };
}

const PAYMENTS = `
  SELECT p.id AS payment_id, p.invoice_id, k.id AS capture_id, x.provider, became.cents, CASE WHEN i.membership_id IS DISTINCT FROM $3::uuid THEN $3::uuid END AS moved_to,
         app.refundable_of_capture(k.organization_id, k.id) AS charge_cents
    FROM (SELECT c.payment_record_id, sum(${SOURCE_EFFECT_SQL})::bigint AS cents FROM chapter_account_credits c
           WHERE c.organization_id = $1 AND c.chapter_id = $2 AND c.membership_id IS NOT DISTINCT FROM $3::uuid
             AND c.payment_record_id IS NOT NULL GROUP BY 1) became
    JOIN payment_records p ON p.organization_id = $1 AND p.id = became.payment_record_id AND p.status = 'succeeded'
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
    JOIN processor_captures k ON k.organization_id = p.organization_id AND k.processor_id = p.processor_id AND k.intent_id = p.intent_id
    JOIN org_payment_processors x ON x.organization_id = k.organization_id AND x.id = k.processor_id`;

const lockRows = ({ chapterId, membershipId }: Payer, table: string, column: string) =>
  rows(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND id IN (SELECT ${column} FROM (${PAYMENTS}) found) ORDER BY id FOR UPDATE`,
    [currentOrganization(), chapterId, membershipId],
  );

/**
 * Locks the charges that the payer's credit came from. All transactions lock charges before invoices, and invoices
 * before credit.
 */
export const lockCharges = (payer: Payer) => lockRows(payer, 'processor_captures', 'capture_id');

/**
 * Locks and returns the charged payments that became the payer's credit, newest first, with their charges, invoices and
 * credit. Refuses while a refund of that money is pending, because its amount would be counted twice. A pending refund
 * of the invoice counts too, because voiding the invoice turns all of its payment into credit.
 * @throws Refusal credit_refund_in_progress
 */
async function lockSources(payer: Payer): Promise<CreditPayment[]> {
  await lockCharges(payer);
  await lockRows(payer, 'chapter_invoices', 'invoice_id');
  await lockCredit(payer);
  const pending = await firstRow(
    `SELECT WHERE app.credit_reserved($1, $2, $3) > 0
         OR EXISTS (SELECT FROM (${PAYMENTS}) found WHERE app.refundable_of_payment($1, payment_id) < 0)`,
    [currentOrganization(), payer.chapterId, payer.membershipId],
  );
  if (pending) throw financesErrors.credit_refund_in_progress();
  const payments = await rows<CreditPayment>(
    `SELECT * FROM (${PAYMENTS}) found WHERE cents > 0 ORDER BY payment_id DESC`,
    [currentOrganization(), payer.chapterId, payer.membershipId],
  );
  return limitToCharges(payments);
}

/**
 * Reduces the payments of each charge so that together they do not exceed what can be refunded of the charge. One
 * charge may have made several payments.
 */
function limitToCharges(sources: CreditPayment[]): CreditPayment[] {
  const used = new Map<string, number>();
  return sources.map((source) => {
    const before = used.get(source.capture_id) ?? 0;
    const cents = Math.max(0, Math.min(source.cents, source.charge_cents - before));
    used.set(source.capture_id, before + cents);
    return { ...source, cents };
  });
}

async function reserve(
  { payment_id, invoice_id, capture_id, cents, moved_to }: CreditPayment,
  { reason, requestedBy }: { reason: string; requestedBy: string },
): Promise<string> {
  await changeRow(ProcessorCapture, { id: capture_id, refunds_read_at: null }, { refunds_read_at: now });
  const { id } = await createRow(Refund, {
    invoice_id,
    payment_record_id: payment_id,
    capture_id,
    of_credit: true,
    credit_membership_id: moved_to,
    amount_cents: cents,
    status: 'reserved',
    reason,
    requested_by: requestedBy,
  });
  await audit({
    action: 'credit.refund_reserved',
    subjectType: 'invoice',
    subjectId: invoice_id,
    after: { refund_id: id, payment_id, amount_cents: cents, reason },
  });
  return id;
}

/**
 * Records a refund of credit that an administrator has made by hand. It is for credit that came from no charge, because
 * other credit is refunded through the provider.
 * @returns the id of the ledger entry
 * @throws Refusal credit_not_available, credit_refund_in_progress
 */
export async function refundCreditByHand(
  payer: Payer,
  { amountCents, reference, note }: { amountCents: number; reference: string; note: string },
): Promise<string> {
  await lockCredit(payer);
  if (amountCents > (await readAvailableCredit(payer))) throw financesErrors.credit_not_available();
  const id = await writeEntry(payer, {
    kind: 'refunded',
    cents: amountCents,
    reason: Array.from(`${note} (${reference})`).slice(0, 500).join(''),
    createdBy: currentScope().origin.userId,
  });
  await audit({
    action: 'credit.refunded_by_hand',
    subjectType: 'credit',
    subjectId: id,
    after: { ...payer, amount_cents: amountCents, reference },
  });
  return id;
}
