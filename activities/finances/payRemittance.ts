/** Steps of a remittance's payment. Each step reads the rows again and may run any number of times. */
import {
  ChargeRefused,
  type ChargeState,
  isRefusal,
  CredentialsRefused,
  type OpenChargeRequest,
  OutcomeUnknown,
  type PaymentPort,
} from '../../gateways/payments/port.js';
import { adapterOf, paymentPort } from '../../gateways/payments/processors.js';
import { isTransient } from '../../models/database/constraints.js';
import { RowMissing } from '../../models/errors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type Attempt,
  loadAttempt,
  markAuthorizationRequested,
  recordCapture,
  recordFailure,
  recordIntent,
} from '../../models/finances/attempts/attempt.js';
import { CANCELLED } from '../../models/finances/attempts/cancelAttempt.js';
import { type AttemptEnd, concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { lockRemittance } from '../../models/finances/remittances/remittance.js';
import {
  type CapturedCharge,
  flagRemittance,
  type Settlement,
  settleRemittance,
} from '../../models/finances/remittances/settleRemittance.js';
import type { PayRemittanceInput, PayRemittanceOutcome } from '../../workflows/contracts/payRemittance.js';
import { previousAttempts } from '../attempts.js';

/**
 * Outcomes of ended attempts. A webhook event may end the attempt between two steps; the process then returns the
 * attempt's outcome.
 */
const OUTCOMES = { succeeded: 'settled', flagged: 'flagged', failed: 'declined' } as const satisfies Record<
  string,
  PayRemittanceOutcome
>;

/** Opens an unconfirmed charge and commits its id, so that later steps can look it up. */
export const openCharge = async (input: PayRemittanceInput): Promise<'opened' | PayRemittanceOutcome> => {
  const earlierAttempts = previousAttempts();
  const attempt = await load(input);
  if (attempt.status !== 'pending') return OUTCOMES[attempt.status];
  if (attempt.intentId) return 'opened';
  if (attempt.keysExpired)
    return declineUnopened(input, attempt, {
      failureCode: 'gateway_unavailable',
      failureMessage: 'The provider could not be reached.',
    });
  try {
    if (authorizesOnOpen(attempt)) await inTenant(input.organizationId, () => markAuthorizationRequested(attempt.id));
    const port = paymentPort(attempt.access);
    const opened = await port.openCharge(chargeRequest(input, attempt, earlierAttempts));
    if (opened.status === 'declined') return await declineUnopened(input, attempt, opened);
    await inTenant(input.organizationId, () => recordIntent(attempt.id, opened.intentId));
    // The attempt may have ended during the request. An authorization made after its end would never be released.
    const { status } = authorizesOnOpen(attempt) ? await load(input) : attempt;
    if (status === 'pending') return 'opened';
    await port.cancelCharge(opened.intentId);
    return OUTCOMES[status];
  } catch (error) {
    if (!(error instanceof ChargeRefused) || mayHaveAuthorized(attempt, error)) throw error;
    return declineUnopened(input, attempt, {
      failureCode: error.failureCode,
      failureMessage: 'The provider refused to open the charge.',
    });
  }
};

const authorizesOnOpen = ({ access }: Attempt): boolean => adapterOf(access.provider).openingAuthorizes;

/**
 * Reports whether an earlier attempt may have authorized the money. True if an earlier attempt has asked the provider
 * and the provider now rejects our API key, because the outcome then cannot be read.
 */
const mayHaveAuthorized = ({ askedAt }: Attempt, error: ChargeRefused): boolean =>
  askedAt !== null && error instanceof CredentialsRefused;

function chargeRequest(input: PayRemittanceInput, attempt: Attempt, previousTries: number): OpenChargeRequest {
  return {
    amountCents: attempt.amountCents,
    currency: attempt.currency,
    reference: referenceOf(input, attempt),
    paymentMethod: attempt.paymentMethod ?? '',
    // A provider stores its own errors under the key, too, so each attempt gets a new key. If opening authorizes the
    // money, a second key could authorize it twice, so there is only one key.
    idempotencyKey: authorizesOnOpen(attempt) ? `open:${attempt.id}` : `open:${attempt.id}:${previousTries}`,
    askedAt: attempt.askedAt,
  };
}

/** Declines a charge that has no recorded id, after making sure that no money is authorized for it. */
async function declineUnopened(
  input: PayRemittanceInput,
  attempt: Attempt,
  { failureCode, failureMessage }: { failureCode: string; failureMessage: string },
): Promise<'declined'> {
  await releaseAuthorization(input, attempt);
  return declineAttempt(input, {
    failureCode: failureCode.slice(0, 100),
    failureMessage: failureMessage.slice(0, 500),
  });
}

/**
 * Releases an authorization that an earlier request may have made.
 * @throws OutcomeUnknown while money may be authorized
 */
async function releaseAuthorization(input: PayRemittanceInput, attempt: Attempt): Promise<void> {
  if (attempt.askedAt === null) return;
  const state = await paymentPort(attempt.access).closeOpening(chargeRequest(input, attempt, 0));
  if (state && state.status !== 'cancelled' && state.status !== 'declined')
    throw new OutcomeUnknown('The authorization is not released yet.');
}

/** Captures the money, unless an earlier attempt has captured it. */
export const confirmCharge = async (
  input: PayRemittanceInput,
): Promise<'captured' | 'not_captured' | PayRemittanceOutcome> => {
  const earlierAttempts = previousAttempts();
  const attempt = await load(input);
  if (attempt.status !== 'pending') return OUTCOMES[attempt.status];
  if (attempt.capturedCents) return 'captured';
  const port = paymentPort(attempt.access);
  const state =
    (earlierAttempts > 0 && (await earlierOutcome(port, attempt))) || (await confirm(port, attempt, earlierAttempts));
  return recordOutcome(input, state);
};

/** Cancels the charge at the provider, and reports it as not captured only when nothing can be captured any more. */
export const abandonCharge = async (
  input: PayRemittanceInput,
  reason?: 'cancelled',
): Promise<'captured' | PayRemittanceOutcome> => {
  const attempt = await load(input);
  if (attempt.status !== 'pending') return OUTCOMES[attempt.status];
  // A charge without a recorded id was never confirmed and never will be. It may still have money authorized.
  if (!attempt.intentId) await releaseAuthorization(input, attempt);
  const state = attempt.intentId ? await paymentPort(attempt.access).cancelCharge(attempt.intentId) : null;
  if (state?.status === 'captured') {
    await recordOutcome(input, state);
    return 'captured';
  }
  if (state && state.status !== 'cancelled') throw new OutcomeUnknown('The charge is not cancelled yet.');
  return declineAttempt(input, reason === 'cancelled' ? CANCELLED : {});
};

/**
 * Credits the members, or flags the money for an administrator. When this returns, captured money is either credited or
 * flagged.
 */
export const settleCharge = async (input: PayRemittanceInput): Promise<Settlement> => {
  const { organizationId, attemptId } = input;
  const captured: { charge?: CapturedCharge } = {};
  try {
    return await inTenant(organizationId, async () => {
      captured.charge = capturedCharge(await loadAttempt(attemptId), input);
      return settle(captured.charge);
    });
  } catch (error) {
    const { charge } = captured;
    // Flag the money only for errors that a retry would repeat.
    if (!charge || error instanceof RowMissing || isTransient(error)) throw error;
    return inTenant(organizationId, () => flagUnsettled(charge));
  }
};

const load = ({ organizationId, attemptId }: PayRemittanceInput): Promise<Attempt> =>
  inTenant(organizationId, () => loadAttempt(attemptId), { readOnly: true });

const referenceOf = ({ organizationId, remittanceId }: PayRemittanceInput, attempt: Attempt) => ({
  organization_id: organizationId,
  processor_id: attempt.processorId,
  remittance_id: remittanceId,
  attempt_id: attempt.id,
});

function intentOf({ intentId }: Attempt): string {
  if (!intentId) throw new Error('The charge was never opened.');
  return intentId;
}

async function declineAttempt(
  { organizationId, attemptId }: PayRemittanceInput,
  failure: Omit<AttemptEnd, 'status'>,
): Promise<'declined'> {
  await inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure }));
  return 'declined';
}

/**
 * Reads the outcome of an earlier attempt.
 * @returns null while the charge is unconfirmed; it may then be confirmed with the same key
 */
async function earlierOutcome(port: PaymentPort, attempt: Attempt): Promise<ChargeState | null> {
  const state = await port.readCharge(intentOf(attempt));
  return state.status === 'waiting' ? null : state;
}

/**
 * Number of attempts with the same idempotency key. After them a new key is used, because a provider stores an error
 * under its key and would return it again and again.
 */
const ATTEMPTS_PER_KEY = 3;

/** Confirms the charge. This is safe under any key, because one charge captures only once. */
async function confirm(port: PaymentPort, attempt: Attempt, earlierAttempts: number): Promise<ChargeState> {
  const intentId = intentOf(attempt);
  if (attempt.overtaken)
    return declinedBy(intentId, 'remittance_already_paid', 'This remittance was already paid by another payment.');
  if (attempt.keysExpired)
    return declinedBy(intentId, 'gateway_unavailable', 'The provider could not be reached in time.');
  try {
    return await port.confirmCharge({
      intentId,
      paymentMethod: attempt.paymentMethod ?? '',
      idempotencyKey: `confirm:${attempt.id}:${Math.floor(earlierAttempts / ATTEMPTS_PER_KEY)}`,
    });
  } catch (error) {
    // An API key that was revoked says nothing about the outcome of an earlier attempt. The step fails here and is
    // retried with the key that is configured by then.
    if (!isRefusal(error)) throw error;
    return declinedBy(intentId, error.failureCode, 'The provider did not accept this payment method.');
  }
}

const declinedBy = (intentId: string, failureCode: string, failureMessage: string): ChargeState => ({
  status: 'declined',
  intentId,
  failureCode,
  failureMessage,
});

async function recordOutcome(
  { organizationId, attemptId }: PayRemittanceInput,
  state: ChargeState,
): Promise<'captured' | 'not_captured'> {
  if (state.status === 'captured') {
    await inTenant(organizationId, () => recordCapture(attemptId, state.capturedCents));
    return 'captured';
  }
  if (state.status === 'declined') {
    await inTenant(organizationId, () => recordFailure(attemptId, state.failureCode, state.failureMessage));
  }
  if (state.status === 'processing' || state.status === 'waiting')
    throw new OutcomeUnknown('The provider does not know the outcome yet.');
  return 'not_captured';
}

function capturedCharge(attempt: Attempt, { remittanceId }: PayRemittanceInput): CapturedCharge {
  if (!attempt.capturedCents) throw new Error('Nothing was captured.');
  const { processorId, capturedCents: amountCents } = attempt;
  return { remittanceId, processorId, intentId: intentOf(attempt), amountCents };
}

async function settle(charge: CapturedCharge): Promise<Settlement> {
  const settlement = await settleRemittance(charge);
  if (!settlement) throw new RowMissing('There is no such remittance.');
  return settlement;
}

async function flagUnsettled(charge: CapturedCharge): Promise<Settlement> {
  await lockRemittance(charge.remittanceId);
  return flagRemittance(charge, 'settlement_failed');
}
