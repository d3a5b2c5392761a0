/** Credit goes back to whom it came from: each part of it on the charge that brought it. */
import { refund as refundProcess } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { financesErrors } from '../errors.js';
import { Refund } from '../refunds/Refund.js';
import type { Reserved } from '../refunds/reserveRefunds.js';
import { availableCredit, lockCredit, type Payer } from './payer.js';
import { OF_SOURCE } from './sources.js';
import { writeEntry } from './writeEntry.js';

interface Source {
  payment_id: string;
  invoice_id: string;
  capture_id: string;
  provider: string;
  /** Of the payer's credit that came from the payment. */
  cents: number;
  /** The membership whose credit it is, where it moved there from the invoice's. */
  moved_to: string | null;
  /** What is left of its charge, for all payments that it brought. */
  charge_cents: number;
}

/**
 * Reserves credit of a payer to go back, the newest first: what was spent was the oldest. All of it is committed before a
 * provider is asked for any, and nobody spends it meanwhile.
 * @param amountCents left out: all that came by a charge
 * @throws Refusal credit_not_available, credit_refund_in_progress, credit_refund_unimplemented
 */
export async function refundCredit(
  payer: Payer,
  { amountCents, reason }: { amountCents?: number | undefined; reason: string },
): Promise<Reserved> {
  const sources = await holdSources(payer);
  const most = Math.min(await availableCredit(payer), sumOf(sources));
  const wanted = amountCents ?? most;
  if (wanted === 0 || wanted > most) throw financesErrors.credit_not_available();
  const parts = partsOf(sources, wanted);
  if (!parts.every(isImplemented)) throw financesErrors.credit_refund_unimplemented();
  return send(parts, { reason, requestedBy: currentScope().origin.userId as string });
}

/**
 * The same with all that can go back by itself, for a payer who leaves: what came by no charge, or by one of another provider, stays.
 * @param wish who is on record as having asked
 * @returns the cents that are on their way
 * @throws Refusal credit_refund_in_progress
 */
export async function refundAllCredit(payer: Payer, wish: { reason: string; requestedBy: string }): Promise<number> {
  const sources = (await holdSources(payer)).filter(isImplemented);
  const parts = partsOf(sources, await availableCredit(payer));
  await send(parts, wish);
  return sumOf(parts);
}

const isImplemented = ({ provider }: Source) => provider === 'stripe';
const sumOf = (sources: readonly Source[]): number => sources.reduce((sum, { cents }) => sum + cents, 0);

/** The newest of them, up to so many cents. */
function partsOf(sources: readonly Source[], cents: number): Source[] {
  let left = cents;
  return sources.flatMap((source) => {
    const part = Math.min(source.cents, left);
    left -= part;
    return part > 0 ? [{ ...source, cents: part }] : [];
  });
}

async function send(parts: readonly Source[], wish: { reason: string; requestedBy: string }): Promise<Reserved> {
  const refunds: string[] = [];
  for (const part of parts) refunds.push(await reserve(part, wish));
  const workflowIds: string[] = [];
  for (const refundId of refunds) workflowIds.push(await enqueue(refundProcess, { refundId }));
  return { refunds, workflowIds };
}

const PAYMENTS = `
  SELECT p.id AS payment_id, p.invoice_id, k.id AS capture_id, x.provider, became.cents, CASE WHEN i.membership_id IS DISTINCT FROM $3::uuid THEN $3::uuid END AS moved_to,
         app.refundable_of_capture(k.organization_id, k.id) AS charge_cents
    FROM (SELECT c.payment_record_id, sum(${OF_SOURCE})::bigint AS cents FROM chapter_account_credits c
           WHERE c.organization_id = $1 AND c.chapter_id = $2 AND c.membership_id IS NOT DISTINCT FROM $3::uuid
             AND c.payment_record_id IS NOT NULL GROUP BY 1) became
    JOIN payment_records p ON p.organization_id = $1 AND p.id = became.payment_record_id AND p.status = 'succeeded'
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
    JOIN processor_captures k ON k.organization_id = p.organization_id AND k.processor_id = p.processor_id AND k.intent_id = p.intent_id
    JOIN org_payment_processors x ON x.organization_id = k.organization_id AND x.id = k.processor_id`;

const hold = ({ chapterId, membershipId }: Payer, table: string, column: string) =>
  rows(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND id IN (SELECT ${column} FROM (${PAYMENTS}) found) ORDER BY id FOR UPDATE`,
    [currentOrganization(), chapterId, membershipId],
  );

/** Before invoices and credit are held, in everybody's order. */
export const holdCharges = (payer: Payer) => hold(payer, 'processor_captures', 'capture_id');

/**
 * Locks and returns the payer's payments that became credit by a charge, the newest first, with their charges, invoices
 * and the credit. Refuses while a refund of that money is pending, because its amount would be counted twice. A refund
 * of the invoice counts too: voiding the invoice turns all of its payment into credit while the refund is pending.
 * @throws Refusal credit_refund_in_progress
 */
async function holdSources(payer: Payer): Promise<Source[]> {
  await holdCharges(payer);
  await hold(payer, 'chapter_invoices', 'invoice_id');
  await lockCredit(payer);
  const pending = await firstRow(
    `SELECT WHERE app.credit_reserved($1, $2, $3) > 0
         OR EXISTS (SELECT FROM (${PAYMENTS}) found WHERE app.refundable_of_payment($1, payment_id) < 0)`,
    [currentOrganization(), payer.chapterId, payer.membershipId],
  );
  if (pending) throw financesErrors.credit_refund_in_progress();
  const found = await rows<Source>(`SELECT * FROM (${PAYMENTS}) found WHERE cents > 0 ORDER BY payment_id DESC`, [
    currentOrganization(),
    payer.chapterId,
    payer.membershipId,
  ]);
  return withinCharges(found);
}

/** One charge may have brought several of the payments. */
function withinCharges(sources: Source[]): Source[] {
  const used = new Map<string, number>();
  return sources.map((source) => {
    const before = used.get(source.capture_id) ?? 0;
    const cents = Math.max(0, Math.min(source.cents, source.charge_cents - before));
    used.set(source.capture_id, before + cents);
    return { ...source, cents };
  });
}

async function reserve(
  { payment_id, invoice_id, capture_id, cents, moved_to }: Source,
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
 * Records that credit was given back by hand: what never came by a charge.
 * @returns the entry of the ledger
 * @throws Refusal credit_not_available, credit_refund_in_progress
 */
export async function refundCreditByHand(
  payer: Payer,
  { amountCents, reference, note }: { amountCents: number; reference: string; note: string },
): Promise<string> {
  await lockCredit(payer);
  if (amountCents > (await availableCredit(payer))) throw financesErrors.credit_not_available();
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
