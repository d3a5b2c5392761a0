/** Loads a payment attempt together with the access to its processor, and records its progress. */
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
  /** Time from which the provider may have received a request to authorize the charge; null: no request was sent. */
  askedAt: Date | null;
  intentId: string | null;
  /** Amount that the processor captured; null until it is known. */
  capturedCents: number | null;
  /**
   * Whether the idempotency keys of the attempt are older than 23 hours. They are then not sent again, because gateways
   * forget keys after about a day.
   */
  keysExpired: boolean;
  /** Whether the remittance was settled or flagged by another charge in the meantime. */
  overtaken: boolean;
  access: ProcessorAccess;
}

interface Row extends Omit<Attempt, 'access'> {
  provider: string;
  secret: string;
}

/**
 * Loads an attempt with the access to its processor.
 * @throws RowMissing
 */
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

/** Records that an authorization is about to be requested. The caller commits this before it asks the provider. */
export async function markAuthorizationRequested(attemptId: string): Promise<void> {
  await changeRow(PaymentAttempt, { id: attemptId, charge_asked_at: null }, { charge_asked_at: now });
}

/**
 * Records the processor's id of the charge, and removes a failure of the pending attempt. The caller commits this
 * before it confirms the charge; from then on the attempt cannot be cancelled.
 */
export async function recordIntent(attemptId: string, intentId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET intent_id = $2,
            failure_code = CASE WHEN status <> 'pending' THEN failure_code END,
            failure_message = CASE WHEN status <> 'pending' THEN failure_message END
      WHERE id = $1 AND intent_id IS NULL`,
    [attemptId, intentId],
  );
}

/** Records the captured amount. The caller commits this before any invoice is credited. */
export async function recordCapture(attemptId: string, capturedCents: number): Promise<void> {
  await changeRow(PaymentAttempt, { id: attemptId }, { captured_cents: capturedCents });
}

/**
 * Records why a charge was refused. The attempt does not end yet; it ends when it is certain that the charge cannot be
 * captured any more.
 */
export async function recordFailure(attemptId: string, failureCode: string, failureMessage: string): Promise<void> {
  const failure = { failure_code: failureCode.slice(0, 100), failure_message: failureMessage.slice(0, 500) };
  await changeRow(PaymentAttempt, { id: attemptId }, failure);
}
