/** What an administrator decides about money that was for nothing here: it goes back, or is somebody's credit. */
import { giveBackPayment } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { issueCredit } from '../credit/issueCredit.js';
import type { Payer } from '../credit/payer.js';
import { financesErrors } from '../errors.js';

interface Open {
  id: string;
  intent_id: string;
  currency: string | null;
  /** What was not given back yet. */
  left_cents: number;
}

/**
 * Commits that what is left of a payment is to go back, and hands it to its process. Only the provider's word ends it.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded
 */
export async function refundUnmatched(captureId: string, note: string): Promise<void> {
  const capture = await lockOpen(captureId);
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO capture_resolutions (organization_id, capture_id, resolution, amount_cents, status, note, requested_by)
     VALUES ($1, $2, 'refund', $3, 'pending', $4, $5) RETURNING id`,
    [currentOrganization(), captureId, capture.left_cents, note, currentScope().origin.userId],
  );
  await enqueue(giveBackPayment, { captureId, resolutionId: id });
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
  const { id: resolutionId } = await oneRow<{ id: string }>(
    `INSERT INTO capture_resolutions
       (organization_id, capture_id, resolution, amount_cents, status, chapter_id, membership_id, note, requested_by, finished_at)
     VALUES ($1, $2, 'keep_as_credit', $3, 'done', $4, $5, $6, $7, now()) RETURNING id`,
    [
      currentOrganization(),
      captureId,
      capture.left_cents,
      payer.chapterId,
      payer.membershipId,
      note,
      currentScope().origin.userId,
    ],
  );
  await issueCredit({
    payer,
    amountCents: capture.left_cents,
    reason: 'An administrator matched a payment that was for nothing here with this payer.',
    keptBy: resolutionId,
  });
  await rows(`UPDATE processor_captures SET disposition = 'resolved' WHERE id = $1`, [captureId]);
  await tell('capture.kept_as_credit', capture, { note, ...payer });
}

/** The capture, held: of two decisions at once the second finds it decided. */
async function lockOpen(captureId: string): Promise<Open> {
  const capture = await firstRow<Open & { disposition: string }>(
    `SELECT id, intent_id, currency, disposition, (amount_cents - refunded_cents)::bigint AS left_cents
       FROM processor_captures WHERE id = $1 AND remittance_id IS NULL AND invoice_id IS NULL FOR UPDATE`,
    [captureId],
  );
  if (!capture) throw refuse.not_found();
  if (capture.disposition !== 'flagged') throw financesErrors.payment_already_resolved();
  const pending = await firstRow(`SELECT 1 FROM capture_resolutions WHERE capture_id = $1 AND status = 'pending'`, [
    captureId,
  ]);
  if (pending) throw financesErrors.payment_being_refunded();
  return capture;
}

/** Cents of another currency are other money. */
async function requireOurCurrency({ currency }: Open): Promise<void> {
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

const tell = (action: string, capture: Open, more: Record<string, unknown>): Promise<void> =>
  audit({
    action,
    subjectType: 'processor_capture',
    subjectId: capture.id,
    after: { processor_payment_id: capture.intent_id, amount_cents: capture.left_cents, ...more },
  });
