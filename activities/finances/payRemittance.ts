/** Steps of a remittance's payment. Each reads the rows again and may run any number of times. */
import {
  ChargeRefused,
  type ChargeState,
  isRefusal,
  CredentialsRefused,
  type Opening,
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
  noteAsked,
  rememberCapture,
  rememberFailure,
  rememberIntent,
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
import { triesBefore } from '../tries.js';

/** An event may end the attempt between two steps; the process then ends as the attempt did. */
const END = { succeeded: 'settled', flagged: 'flagged', failed: 'declined' } as const satisfies Record<
  string,
  PayRemittanceOutcome
>;

/** Opens an unconfirmed charge and commits its id, so that later look-ups can use it. */
export const openCharge = async (input: PayRemittanceInput): Promise<'opened' | PayRemittanceOutcome> => {
  const previousTries = triesBefore();
  const attempt = await load(input);
  if (attempt.status !== 'pending') return END[attempt.status];
  if (attempt.intentId) return 'opened';
  if (attempt.keysExpired)
    return giveUpOpening(input, attempt, {
      failureCode: 'gateway_unavailable',
      failureMessage: 'The provider could not be reached.',
    });
  try {
    if (holds(attempt)) await inTenant(input.organizationId, () => noteAsked(attempt.id));
    const port = paymentPort(attempt.access);
    const opened = await port.openCharge(openingOf(input, attempt, previousTries));
    if (opened.status === 'declined') return await giveUpOpening(input, attempt, opened);
    await inTenant(input.organizationId, () => rememberIntent(attempt.id, opened.intentId));
    // The attempt ended while the provider was being asked; a hold made now would never be released.
    const { status } = holds(attempt) ? await load(input) : attempt;
    if (status === 'pending') return 'opened';
    await port.cancelCharge(opened.intentId);
    return END[status];
  } catch (error) {
    if (!(error instanceof ChargeRefused) || mayHold(attempt, error)) throw error;
    return giveUpOpening(input, attempt, {
      failureCode: error.failureCode,
      failureMessage: 'The provider refused to open the charge.',
    });
  }
};

const holds = ({ access }: Attempt): boolean => adapterOf(access.provider).openingHolds;

/** Whether an earlier try may have authorized the money, which a revoked key cannot tell. */
const mayHold = ({ askedAt }: Attempt, error: ChargeRefused): boolean =>
  askedAt !== null && error instanceof CredentialsRefused;

function openingOf(input: PayRemittanceInput, attempt: Attempt, previousTries: number): Opening {
  return {
    amountCents: attempt.amountCents,
    currency: attempt.currency,
    reference: referenceOf(input, attempt),
    paymentMethod: attempt.paymentMethod ?? '',
    // A gateway stores its own errors under a key, too. Where a second charge would authorize the money again, there
    // is one key.
    idempotencyKey: holds(attempt) ? `open:${attempt.id}` : `open:${attempt.id}:${previousTries}`,
    askedAt: attempt.askedAt,
  };
}

/** Ends a charge that was never opened as far as we know, once it is certain that it holds no money. */
async function giveUpOpening(
  input: PayRemittanceInput,
  attempt: Attempt,
  { failureCode, failureMessage }: { failureCode: string; failureMessage: string },
): Promise<'declined'> {
  await closeOpening(input, attempt);
  return giveUp(input, { failureCode: failureCode.slice(0, 100), failureMessage: failureMessage.slice(0, 500) });
}

/** @throws OutcomeUnknown while the charge may hold money */
async function closeOpening(input: PayRemittanceInput, attempt: Attempt): Promise<void> {
  if (attempt.askedAt === null) return;
  const state = await paymentPort(attempt.access).closeOpening(openingOf(input, attempt, 0));
  if (state && state.status !== 'cancelled' && state.status !== 'declined')
    throw new OutcomeUnknown('What was opened is not closed yet.');
}

/** Captures the money; first looks up whether an earlier try has captured it. */
export const confirmCharge = async (
  input: PayRemittanceInput,
): Promise<'captured' | 'not_captured' | PayRemittanceOutcome> => {
  const previousTries = triesBefore();
  const attempt = await load(input);
  if (attempt.status !== 'pending') return END[attempt.status];
  if (attempt.capturedCents) return 'captured';
  const port = paymentPort(attempt.access);
  const state =
    (previousTries > 0 && (await earlierOutcome(port, attempt))) || (await confirm(port, attempt, previousTries));
  return keepOutcome(input, state);
};

/** Makes sure that nothing can be captured any more, and only then reports that nothing was. */
export const abandonCharge = async (
  input: PayRemittanceInput,
  reason?: 'cancelled',
): Promise<'captured' | PayRemittanceOutcome> => {
  const attempt = await load(input);
  if (attempt.status !== 'pending') return END[attempt.status];
  // A charge without a recorded id was never confirmed and will not be; it may hold money all the same.
  if (!attempt.intentId) await closeOpening(input, attempt);
  const state = attempt.intentId ? await paymentPort(attempt.access).cancelCharge(attempt.intentId) : null;
  if (state?.status === 'captured') {
    await keepOutcome(input, state);
    return 'captured';
  }
  if (state && state.status !== 'cancelled') throw new OutcomeUnknown('The charge is not cancelled yet.');
  return giveUp(input, reason === 'cancelled' ? CANCELLED : {});
};

/** Credits the members or flags the money. When this returns, captured money is one or the other. */
export const settleCharge = async (input: PayRemittanceInput): Promise<Settlement> => {
  const { organizationId, attemptId } = input;
  const captured: { charge?: CapturedCharge } = {};
  try {
    return await inTenant(organizationId, async () => {
      captured.charge = capturedBy(await loadAttempt(attemptId), input);
      return settle(captured.charge);
    });
  } catch (error) {
    const { charge } = captured;
    // Flags the money only for errors that would happen again.
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

async function giveUp(
  { organizationId, attemptId }: PayRemittanceInput,
  failure: Omit<AttemptEnd, 'status'>,
): Promise<'declined'> {
  await inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure }));
  return 'declined';
}

/** @returns null while the charge is unconfirmed: it may then be confirmed with the same key */
async function earlierOutcome(port: PaymentPort, attempt: Attempt): Promise<ChargeState | null> {
  const state = await port.readCharge(intentOf(attempt));
  return state.status === 'waiting' ? null : state;
}

/** Tries per idempotency key: a provider stores an error under its key, and would return it for ever. */
const TRIES_PER_KEY = 3;

/** Safe under any key: it is one charge, and a charge captures once. */
async function confirm(port: PaymentPort, attempt: Attempt, previousTries: number): Promise<ChargeState> {
  const intentId = intentOf(attempt);
  if (attempt.overtaken)
    return declinedBy(intentId, 'remittance_already_paid', 'Another payment of this remittance came first.');
  if (attempt.keysExpired)
    return declinedBy(intentId, 'gateway_unavailable', 'The provider could not be reached in time.');
  try {
    return await port.confirmCharge({
      intentId,
      paymentMethod: attempt.paymentMethod ?? '',
      idempotencyKey: `confirm:${attempt.id}:${Math.floor(previousTries / TRIES_PER_KEY)}`,
    });
  } catch (error) {
    // A revoked key says nothing about an earlier try: retry with the key that is configured then.
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

async function keepOutcome(
  { organizationId, attemptId }: PayRemittanceInput,
  state: ChargeState,
): Promise<'captured' | 'not_captured'> {
  if (state.status === 'captured') {
    await inTenant(organizationId, () => rememberCapture(attemptId, state.capturedCents));
    return 'captured';
  }
  if (state.status === 'declined') {
    await inTenant(organizationId, () => rememberFailure(attemptId, state.failureCode, state.failureMessage));
  }
  if (state.status === 'processing' || state.status === 'waiting')
    throw new OutcomeUnknown('The provider does not know yet.');
  return 'not_captured';
}

function capturedBy(attempt: Attempt, { remittanceId }: PayRemittanceInput): CapturedCharge {
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
