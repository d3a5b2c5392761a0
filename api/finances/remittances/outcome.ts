/** What a client is told of a payment that it has asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../../config.js';
import { temporal } from '../../../gateways/temporal/client.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { readRemittance } from '../../../models/finances/remittances/readRemittance.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { presentDetail } from './present.js';

/** Waits for the process to end, for as long as a person would; its rows say how it ended. */
export async function waitForProcess(workflowId: string): Promise<void> {
  const patience = new AbortController();
  const waiting = temporal().workflow.getHandle(workflowId, undefined, { followRuns: true });
  const ended = temporal().withAbortSignal(patience.signal, () => waiting.result()).then(
    () => undefined,
    // Not reachable, or not started yet: the rows decide what is answered.
    () => undefined,
  );
  await Promise.race([ended, sleep(config.PAY_WAIT_SECONDS * 1000, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
}

/**
 * The settled remittance, or why it is not.
 * @throws Refusal payment_declined, payment_failed (400: nothing happened); remittance_needs_reconciliation,
 *   remittance_in_progress (409: money moved, or may yet)
 */
export async function answerAttempt(actor: Actor, remittanceId: string, attemptId: string) {
  const remittance = await inTenant(actor.organizationId, () => readRemittance(remittanceId), { readOnly: true });
  const attempt = remittance?.attempts.find(({ id }) => id === attemptId);
  if (!remittance || !attempt) throw refuse.not_found();
  if (attempt.status === 'succeeded') return presentDetail(actor, remittance);
  if (attempt.status === 'flagged') throw remittanceErrors.remittance_needs_reconciliation();
  if (attempt.status === 'pending') throw remittanceErrors.remittance_in_progress(undefined, undefined, { 'Retry-After': '5' });
  const { failure_code: code, failure_message: message } = attempt;
  const refusal = code && PROVIDER_TROUBLE.has(code) ? remittanceErrors.payment_failed : remittanceErrors.payment_declined;
  throw refusal(`${message ?? 'The card was declined.'} Nothing was charged.`, { payment_method: [code ?? 'card_declined'] });
}

/** Failures that another card would not mend. */
const PROVIDER_TROUBLE = new Set(['gateway_unavailable', 'provider_not_implemented', 'api_key_expired', 'remittance_already_paid']);
