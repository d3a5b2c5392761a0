import { payRemittance } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, requireFound, invalid } from '../../errors.js';
import { PaymentAttempt } from '../attempts/PaymentAttempt.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';
import type { Provider } from '../payment-processors/OrgPaymentProcessor.js';
import { providerFacts, minChargeCentsOf } from '../payment-processors/providers.js';
import { findStaleAllocations } from './allocations.js';
import { BELOW_MINIMUM } from './createRemittance.js';
import { remittanceErrors } from './errors.js';
import { lockRemittance, type Remittance } from './remittance.js';

export interface StartedPayment {
  attemptId: string;
  workflowId: string;
}

/**
 * Begins to pay a remittance: commits an attempt that reserves the invoices, and starts the workflow that charges the
 * card. A repeated request with the same card joins the running attempt.
 * @param paymentMethod a gateway token
 * @throws Refusal allocation_stale, invoice_reserved, payment_processor_required (400); remittance_* (409)
 */
export async function beginPayment(
  remittanceId: string,
  paymentMethod: string,
  userId: string,
): Promise<StartedPayment> {
  const remittance = requireFound(await lockRemittance(remittanceId));
  if (remittance.status === 'settled') throw remittanceErrors.remittance_already_settled();
  if (remittance.status === 'needs_reconciliation') throw remittanceErrors.remittance_needs_reconciliation();
  if (remittance.status === 'processing') return joinPayment(remittance, paymentMethod);

  await requireNoStaleAllocations(remittanceId);
  const attemptId = await createAttempt(remittance, paymentMethod, userId);
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
  const attempt = await loadIfExists(PaymentAttempt, { remittance_id: remittance.id, status: 'pending' });
  if (!attempt || attempt.payment_method !== paymentMethod) throw remittanceErrors.remittance_in_progress();
  const input = {
    organizationId: currentOrganization(),
    remittanceId: remittance.id,
    attemptId: attempt.id,
    chapterId: remittance.chapter_id,
  };
  return { attemptId: attempt.id, workflowId: payRemittance.workflowId(input) };
}

async function requireNoStaleAllocations(remittanceId: string): Promise<void> {
  const stale = await findStaleAllocations(remittanceId);
  if (stale.length === 0) return;
  const errors: FieldErrors = Object.fromEntries(
    stale.map(({ position }) => [
      `allocations.${position}.amount_cents`,
      ['This is more than the balance of the invoice.'],
    ]),
  );
  throw remittanceErrors.allocation_stale(undefined, errors);
}

async function createAttempt(remittance: Remittance, paymentMethod: string, userId: string): Promise<string> {
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

/**
 * Checks the total and the card token against the provider. They are checked again, because a provider that was
 * connected after the remittance was created may have another minimum and its own tokens.
 */
function requireChargeable(provider: Provider, cents: number, paymentMethod: string): void {
  if (cents < minChargeCentsOf(provider)) throw invalid('allocations', BELOW_MINIMUM);
  if (!providerFacts(provider).paymentMethod.test(paymentMethod))
    throw invalid('payment_method', 'Must be a payment token of the payment provider that this organization uses.');
}
