import { payRemittance } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';
import { staleAllocations } from './allocations.js';
import { remittanceErrors } from './errors.js';
import { lockRemittance, type Remittance } from './remittance.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';

export interface StartedPayment {
  attemptId: string;
  workflowId: string;
}

/**
 * Commits the intent to charge: an attempt that reserves its invoices, and the process that carries it out.
 * The same card while an attempt runs joins that attempt.
 * @param paymentMethod a gateway token
 * @throws Refusal allocation_stale, invoice_reserved, payment_processor_required (400); remittance_* (409)
 */
export async function beginPayment(
  remittanceId: string,
  paymentMethod: string,
  userId: string,
): Promise<StartedPayment> {
  const remittance = await lockRemittance(remittanceId);
  if (!remittance) throw refuse.not_found();
  if (remittance.status === 'settled') throw remittanceErrors.remittance_already_settled();
  if (remittance.status === 'needs_reconciliation') throw remittanceErrors.remittance_needs_reconciliation();
  if (remittance.status === 'processing') return joinPayment(remittance, paymentMethod);

  await refuseStale(remittanceId);
  const attemptId = await openAttempt(remittance, paymentMethod, userId);
  await rows('UPDATE chapter_remittance_allocations SET reserved_by_attempt_id = $2 WHERE remittance_id = $1', [
    remittanceId,
    attemptId,
  ]);
  await audit({
    action: 'remittance.payment_started',
    subjectType: 'remittance',
    subjectId: remittanceId,
    after: { attempt_id: attemptId },
  });
  const workflowId = await enqueue(payRemittance, { remittanceId, attemptId, chapterId: remittance.chapter_id });
  return { attemptId, workflowId };
}

async function joinPayment(remittance: Remittance, paymentMethod: string): Promise<StartedPayment> {
  const running = await firstRow<{ id: string; payment_method: string }>(
    `SELECT id, payment_method FROM payment_attempts WHERE remittance_id = $1 AND status = 'pending'`,
    [remittance.id],
  );
  if (!running || running.payment_method !== paymentMethod) throw remittanceErrors.remittance_in_progress();
  const input = {
    organizationId: currentOrganization(),
    remittanceId: remittance.id,
    attemptId: running.id,
    chapterId: remittance.chapter_id,
  };
  return { attemptId: running.id, workflowId: payRemittance.workflowId(input) };
}

async function refuseStale(remittanceId: string): Promise<void> {
  const stale = await staleAllocations(remittanceId);
  if (stale.length === 0) return;
  const errors: FieldErrors = Object.fromEntries(
    stale.map(({ position }) => [`allocations.${position}.amount_cents`, ['This is more than is due.']]),
  );
  throw remittanceErrors.allocation_stale(undefined, errors);
}

async function openAttempt(remittance: Remittance, paymentMethod: string, userId: string): Promise<string> {
  const processor = await requireActiveProcessor();
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO payment_attempts (organization_id, remittance_id, processor_id, payment_method, amount_cents, currency, requested_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      currentOrganization(),
      remittance.id,
      processor.id,
      paymentMethod,
      remittance.total_cents,
      remittance.currency,
      userId,
    ],
  );
  return id;
}
