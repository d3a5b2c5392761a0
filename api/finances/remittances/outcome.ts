/** Reports the outcome of a payment to the client that requested it. */
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { readRemittance } from '../../../models/finances/remittances/readRemittance.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { presentRemittance } from './present.js';

/**
 * Returns the settled remittance, or throws the reason why it is not settled.
 * @throws Refusal payment_declined, payment_failed (400: nothing happened); remittance_needs_reconciliation,
 *   remittance_in_progress (409: money moved, or may still move)
 */
export async function answerAttempt(actor: Actor, remittanceId: string, attemptId: string) {
  const remittance = await inTenant(actor.organizationId, () => readRemittance(remittanceId), { readOnly: true });
  const attempt = remittance?.attempts.find(({ id }) => id === attemptId);
  if (!remittance || !attempt) throw refuse.not_found();
  if (attempt.status === 'succeeded') return presentRemittance(actor, remittance);
  if (attempt.status === 'flagged') throw remittanceErrors.remittance_needs_reconciliation();
  if (attempt.status === 'pending')
    throw remittanceErrors.remittance_in_progress(undefined, undefined, { 'Retry-After': '5' });
  const { failure_code: code, failure_message: message } = attempt;
  const refusal =
    code && PROVIDER_FAILURES.has(code) ? remittanceErrors.payment_failed : remittanceErrors.payment_declined;
  throw refusal(`${message ?? 'The card was declined.'} Nothing was charged.`, {
    payment_method: [message ?? 'The card was declined.'],
  });
}

/** Failures that another card would not fix. */
const PROVIDER_FAILURES = new Set([
  'gateway_unavailable',
  'processor_credentials',
  'provider_not_implemented',
  'amount_too_small',
  'invalid_request',
  'resource_missing',
  'remittance_already_paid',
]);
