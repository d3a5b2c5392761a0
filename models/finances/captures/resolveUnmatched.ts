/** What an administrator decides about money that was for nothing here: it goes back, or is somebody's credit. */
import { giveBackPayment } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, holdRow, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found, refuse } from '../../errors.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { issueCredit } from '../credit/issueCredit.js';
import type { Payer } from '../credit/payer.js';
import { financesErrors } from '../errors.js';
import { CaptureResolution } from './CaptureResolution.js';
import { ProcessorCapture } from './ProcessorCapture.js';

/** What was not given back yet. */
const leftOf = ({ amount_cents, refunded_cents }: ProcessorCapture): number => amount_cents - refunded_cents;

/** An administrator. */
const decider = (): string => currentScope().origin.userId as string;

/**
 * Commits that what is left of a payment is to go back, and hands it to its process. Only the provider's word ends it.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded
 */
export async function refundUnmatched(captureId: string, note: string): Promise<void> {
  const capture = await lockOpen(captureId);
  const refund = await createRow(CaptureResolution, {
    capture_id: captureId,
    resolution: 'refund',
    amount_cents: leftOf(capture),
    status: 'pending',
    note,
    requested_by: decider(),
  });
  await enqueue(giveBackPayment, { captureId, resolutionId: refund.id });
  await tell('capture.refund_requested', capture, { note });
}

/**
 * Makes what is left of a payment the payer's credit, once. A refund that comes later takes it back.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded, payment_other_currency
 */
export async function keepAsCredit(captureId: string, payer: Payer, note: string): Promise<void> {
  const capture = await lockOpen(captureId);
  await requireOurCurrency(capture);
  await requirePayer(payer);
  const kept = await createRow(CaptureResolution, {
    capture_id: captureId,
    resolution: 'keep_as_credit',
    amount_cents: leftOf(capture),
    status: 'done',
    chapter_id: payer.chapterId,
    membership_id: payer.membershipId,
    note,
    requested_by: decider(),
    finished_at: now,
  });
  await issueCredit({
    payer,
    amountCents: leftOf(capture),
    reason: 'An administrator matched a payment that was for nothing here with this payer.',
    keptBy: kept.id,
  });
  await editRow(capture, { disposition: 'resolved' });
  await tell('capture.kept_as_credit', capture, { note, ...payer });
}

/** The capture, held: of two decisions at once the second finds it decided. */
async function lockOpen(captureId: string): Promise<ProcessorCapture> {
  const capture = found(await holdRow(ProcessorCapture, captureId));
  if (capture.remittance_id || capture.invoice_id) throw refuse.not_found();
  if (capture.disposition !== 'flagged') throw financesErrors.payment_already_resolved();
  const pending = await loadIfThere(CaptureResolution, { capture_id: captureId, status: 'pending' });
  if (pending) throw financesErrors.payment_being_refunded();
  return capture;
}

/** Cents of another currency are other money. */
async function requireOurCurrency({ currency }: ProcessorCapture): Promise<void> {
  const ours = await firstRow<{ currency: string }>(
    'SELECT currency FROM org_dues_settings WHERE organization_id = $1',
    [currentOrganization()],
  );
  if (currency !== null && currency !== (ours?.currency ?? 'usd')) throw financesErrors.payment_other_currency();
}

async function requirePayer({ chapterId, membershipId }: Payer): Promise<void> {
  const found = await firstRow<{ member: boolean }>(
    `SELECT EXISTS (SELECT FROM memberships m WHERE m.organization_id = c.organization_id AND m.chapter_id = c.id AND m.id = $2) AS member
       FROM chapters c WHERE c.id = $1`,
    [chapterId, membershipId],
  );
  if (!found) throw refuse.not_found('There is no such chapter.');
  if (membershipId !== null && !found.member) throw refuse.not_found('The chapter has no such membership.');
}

/** For the others it is decided, too. */
async function tell(action: string, capture: ProcessorCapture, more: Record<string, unknown>): Promise<void> {
  await audit({
    action,
    subjectType: 'processor_capture',
    subjectId: capture.id,
    after: { processor_payment_id: capture.intent_id, amount_cents: leftOf(capture), ...more },
  });
  await resolveNotifications('capture', capture.id);
}
