import { payRemittance } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, found, invalid } from '../../errors.js';
import { PaymentAttempt } from '../attempts/PaymentAttempt.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';
import type { Provider } from '../payment-processors/OrgPaymentProcessor.js';
import { factsOf, leastChargeCents } from '../payment-processors/providers.js';
import { staleAllocations } from './allocations.js';
import { TOO_LITTLE } from './createRemittance.js';
import { remittanceErrors } from './errors.js';
import { lockRemittance, type Remittance } from './remittance.js';

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
  const remittance = found(await lockRemittance(remittanceId));
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
  const running = await loadIfThere(PaymentAttempt, { remittance_id: remittance.id, status: 'pending' });
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
  requireChargeable(processor.provider, remittance.total_cents, paymentMethod);
  const attempt = await createRow(PaymentAttempt, {
    remittance_id: remittance.id,
    processor_id: processor.id,
    payment_method: paymentMethod,
    amount_cents: remittance.total_cents,
    currency: remittance.currency,
    requested_by: userId,
  });
  return attempt.id;
}

/** Another provider than when the remittance was made may want more, and each has tokens of its own. */
function requireChargeable(provider: Provider, cents: number, paymentMethod: string): void {
  if (cents < leastChargeCents(provider)) throw invalid('allocations', TOO_LITTLE);
  if (!factsOf(provider).paymentMethod.test(paymentMethod))
    throw invalid('payment_method', 'This is no token of the payment provider that is connected.');
}
