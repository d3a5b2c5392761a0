/** An attempt with what is needed to talk to its processor. */
import { changeRow, now } from '../../database/model/change.js';
import { firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { type AttemptStatus, PaymentAttempt } from './PaymentAttempt.js';
import { openAccess, type ProcessorAccess } from './processorAccess.js';

export interface Attempt {
  id: string;
  remittanceId: string | null;
  invoiceId: string | null;
  processorId: string;
  paymentMethod: string | null;
  amountCents: number;
  currency: string;
  status: AttemptStatus;
  /** Since when the provider may have been asked to open a charge that holds the money. */
  askedAt: Date | null;
  intentId: string | null;
  /** What the processor took under it, once we know. */
  capturedCents: number | null;
  /** Gateways forget idempotency keys after about a day: no key of ours is sent again after 23 hours. */
  keysExpired: boolean;
  /** Whether the remittance was settled or flagged by somebody else in the meantime. */
  overtaken: boolean;
  access: ProcessorAccess;
}

interface Row extends Omit<Attempt, 'access'> {
  provider: string;
  secret: string;
}

/** @throws RowMissing */
export async function loadAttempt(attemptId: string): Promise<Attempt> {
  const row = await firstRow<Row>(
    `SELECT a.id, a.remittance_id AS "remittanceId", a.invoice_id AS "invoiceId", a.processor_id AS "processorId",
            a.payment_method AS "paymentMethod", a.amount_cents AS "amountCents", a.currency, a.status,
            a.charge_asked_at AS "askedAt",
            a.intent_id AS "intentId", a.captured_cents AS "capturedCents", a.created_at < now() - interval '23 hours' AS "keysExpired",
            coalesce(r.settled_at IS NOT NULL OR r.reconciliation_flagged_at > coalesce(r.resolved_at, '-infinity'), false)
              AS overtaken,
            p.provider, p.secret_key_encrypted AS secret
       FROM payment_attempts a
       JOIN org_payment_processors p ON p.organization_id = a.organization_id AND p.id = a.processor_id
       LEFT JOIN chapter_remittances r ON r.organization_id = a.organization_id AND r.id = a.remittance_id
      WHERE a.id = $1`,
    [attemptId],
  );
  if (!row) throw new RowMissing('There is no such payment attempt.');
  const { provider, secret, ...attempt } = row;
  return { ...attempt, access: openAccess(row.processorId, provider, secret) };
}

/** Commits that the provider is about to be asked to open a charge that holds the money, before it is. */
export async function noteAsked(attemptId: string): Promise<void> {
  await changeRow(PaymentAttempt, { id: attemptId, charge_asked_at: null }, { charge_asked_at: now });
}

/** Commits the processor's id of the charge, before anything is confirmed under it. Who meant to cancel is too late then. */
export async function rememberIntent(attemptId: string, intentId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET intent_id = $2,
            failure_code = CASE WHEN status <> 'pending' THEN failure_code END,
            failure_message = CASE WHEN status <> 'pending' THEN failure_message END
      WHERE id = $1 AND intent_id IS NULL`,
    [attemptId, intentId],
  );
}

/** Commits what the processor said it took, before anybody is credited. */
export async function rememberCapture(attemptId: string, capturedCents: number): Promise<void> {
  await changeRow(PaymentAttempt, { id: attemptId }, { captured_cents: capturedCents });
}

/** Keeps why a charge was refused until it is certain that it can never capture. */
export async function rememberFailure(attemptId: string, failureCode: string, failureMessage: string): Promise<void> {
  const failure = { failure_code: failureCode.slice(0, 100), failure_message: failureMessage.slice(0, 500) };
  await changeRow(PaymentAttempt, { id: attemptId }, failure);
}
