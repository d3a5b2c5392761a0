/** Carries out an administrator's decision about an unmatched payment: a refund, or credit of a payer. */
import { donationRefund, giveBackPayment } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, lockExclusive, now } from '../../database/model/change.js';
import { loadIfExists, loadRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound, refuse } from '../../errors.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { issueCredit } from '../credit/issueCredit.js';
import type { Payer } from '../credit/payer.js';
import { financesErrors } from '../errors.js';
import { OrgPaymentProcessor, type Purpose } from '../payment-processors/OrgPaymentProcessor.js';
import { CaptureResolution } from './CaptureResolution.js';
import { ProcessorCapture } from './ProcessorCapture.js';

/** Returns the amount that was not refunded yet. */
const remainingCents = ({ amount_cents, refunded_cents }: ProcessorCapture): number => amount_cents - refunded_cents;

/** Returns the id of the acting administrator. */
const actingAdmin = (): string => currentScope().origin.userId as string;

/**
 * Requests the refund of what remains of a payment. Only the provider's answer ends the refund.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded
 */
export async function refundUnmatched(purpose: Purpose, captureId: string, note: string): Promise<void> {
  await requestCaptureRefund(await lockUnresolved(purpose, captureId), note);
}

/**
 * Requests the refund of what remains of a locked payment, and starts its workflow. The caller has checked that no
 * other refund of it is pending.
 * @returns the id of the refund
 */
export async function requestCaptureRefund(capture: ProcessorCapture, note: string): Promise<string> {
  const refund = await createRow(CaptureResolution, {
    capture_id: capture.id,
    resolution: 'refund',
    amount_cents: remainingCents(capture),
    status: 'pending',
    note,
    requested_by: actingAdmin(),
  });
  await enqueue(capture.donation_id ? donationRefund : giveBackPayment, {
    captureId: capture.id,
    resolutionId: refund.id,
  });
  await recordDecision('capture.refund_requested', capture, { note });
  return refund.id;
}

/**
 * Records that an administrator accepted the amount of a locked payment of a gift.
 * @throws Refusal payment_already_resolved, payment_being_refunded
 */
export async function acceptCapture(capture: ProcessorCapture, note: string): Promise<void> {
  await createRow(CaptureResolution, {
    capture_id: capture.id,
    resolution: 'accept',
    amount_cents: capture.amount_cents,
    status: 'done',
    note,
    requested_by: actingAdmin(),
    finished_at: now,
  });
  await editRow(capture, { disposition: 'resolved' });
  await recordDecision('capture.accepted', capture, { note });
}

/**
 * Turns what remains of a payment into the payer's credit, once. A later refund takes the credit back.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded, payment_other_currency
 */
export async function keepAsCredit(captureId: string, payer: Payer, note: string): Promise<void> {
  const capture = await lockUnresolved('dues', captureId);
  await requireInvoiceCurrency(capture);
  await requirePayer(payer);
  const resolution = await createRow(CaptureResolution, {
    capture_id: captureId,
    resolution: 'keep_as_credit',
    amount_cents: remainingCents(capture),
    status: 'done',
    chapter_id: payer.chapterId,
    membership_id: payer.membershipId,
    note,
    requested_by: actingAdmin(),
    finished_at: now,
  });
  await issueCredit({
    payer,
    amountCents: remainingCents(capture),
    reason: 'An administrator assigned an unmatched payment to this payer.',
    resolutionId: resolution.id,
  });
  await editRow(capture, { disposition: 'resolved' });
  await recordDecision('capture.kept_as_credit', capture, { note, ...payer });
}

/**
 * Locks the capture, so that the second of two concurrent decisions is refused.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded
 */
export async function lockUnresolved(purpose: Purpose, captureId: string): Promise<ProcessorCapture> {
  const capture = requireFound(await lockExclusive(ProcessorCapture, captureId));
  const processor = await loadRow(OrgPaymentProcessor, capture.processor_id);
  if (capture.remittance_id || capture.invoice_id || processor.purpose !== purpose) throw refuse.not_found();
  if (capture.disposition === 'recorded') throw refuse.not_found();
  if (capture.disposition !== 'flagged') throw financesErrors.payment_already_resolved();
  if (await hasPendingRefund(captureId)) throw financesErrors.payment_being_refunded();
  return capture;
}

/** Locks a capture. @throws Refusal not_found */
export const lockCapture = async (captureId: string): Promise<ProcessorCapture> =>
  requireFound(await lockExclusive(ProcessorCapture, captureId));

/** Reports whether a refund of the capture is pending. */
export const hasPendingRefund = async (captureId: string): Promise<boolean> =>
  (await loadIfExists(CaptureResolution, { capture_id: captureId, status: 'pending' })) !== null;

/** Refuses a payment whose currency differs from the currency of the invoices. */
async function requireInvoiceCurrency({ currency }: ProcessorCapture): Promise<void> {
  const settings = await firstRow<{ currency: string }>(
    'SELECT currency FROM org_dues_settings WHERE organization_id = $1',
    [currentOrganization()],
  );
  if (currency !== null && currency !== (settings?.currency ?? 'usd')) throw financesErrors.payment_other_currency();
}

async function requirePayer({ chapterId, membershipId }: Payer): Promise<void> {
  const chapter = await firstRow<{ member: boolean }>(
    `SELECT EXISTS (SELECT FROM memberships m WHERE m.organization_id = c.organization_id AND m.chapter_id = c.id AND m.id = $2) AS member
       FROM chapters c WHERE c.id = $1`,
    [chapterId, membershipId],
  );
  if (!chapter) throw refuse.not_found('There is no such chapter.');
  if (membershipId !== null && !chapter.member) throw refuse.not_found('The chapter has no such membership.');
}

/** Audits the decision, and resolves the other administrators' notifications. */
async function recordDecision(action: string, capture: ProcessorCapture, more: Record<string, unknown>): Promise<void> {
  await audit({
    action,
    subjectType: 'processor_capture',
    subjectId: capture.id,
    after: { processor_payment_id: capture.intent_id, amount_cents: remainingCents(capture), ...more },
  });
  await resolveNotifications('capture', capture.id);
}
