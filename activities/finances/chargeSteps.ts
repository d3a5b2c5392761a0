/**
 * Opens, confirms and abandons the charge of a payment attempt, for every process that charges a card itself. Each step
 * reads the rows again and may run any number of times.
 */
import {
  ChargeRefused,
  type ChargeReference,
  type ChargeState,
  CredentialsRefused,
  isRefusal,
  type OpenChargeRequest,
  OutcomeUnknown,
  type PaymentPort,
} from '../../gateways/payments/port.js';
import { adapterOf, paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type Attempt,
  markAuthorizationRequested,
  recordCapture,
  recordFailure,
  recordIntent,
} from '../../models/finances/attempts/attempt.js';
import type { AttemptEnd } from '../../models/finances/attempts/concludeAttempt.js';
import { previousAttempts } from '../attempts.js';

/** Status of an attempt that has ended. A webhook event may end an attempt between two steps. */
export type EndedStatus = Exclude<Attempt['status'], 'pending'>;

type CapturedState = Extract<ChargeState, { status: 'captured' }>;

/** The failure with which an attempt ends. */
export type ChargeFailure = Omit<AttemptEnd, 'status'>;

/** The charge of one attempt: how its process loads, marks and ends it. */
export interface AttemptCharge {
  organizationId: string;
  attemptId: string;
  /** Loads the attempt with the card to charge in `paymentMethod`. */
  load: () => Promise<Attempt>;
  /** Returns our ids, which the provider stores with the charge. */
  referenceOf: (attempt: Attempt) => ChargeReference;
  /**
   * Returns the idempotency key of the opening.
   * @param previousTries how often the step ran before; null if opening authorizes the money, because a second key could
   * then authorize it twice
   */
  openingKeyOf: (attempt: Attempt, previousTries: number | null) => string;
  /** Whether the card is a kept one, whose holder is absent. */
  isKept: boolean;
  /**
   * Decides just before each confirmation whether the charge may still be confirmed, and commits the decision. The
   * charge of a rejected confirmation is not captured; the process then abandons it. Absent: it always may.
   */
  mayConfirm?: () => Promise<boolean>;
  /**
   * Looks for a captured charge that no row knows, before a charge is opened, and records it.
   * @returns the status of the attempt that it ended; null if there is no such charge
   */
  recordUnknownCharge?: (attempt: Attempt) => Promise<EndedStatus | null>;
  /** Records captured money. Absent: only on the attempt, and the process settles it in a later step. */
  recordCaptured?: (attempt: Attempt, state: CapturedState) => Promise<void>;
  /** Ends the attempt without a capture. Nothing can be captured any more when this runs. */
  decline: (failure: ChargeFailure) => Promise<void>;
}

/** Opens an unconfirmed charge and commits its id, so that later steps can look it up. */
export async function openAttemptCharge(charge: AttemptCharge): Promise<'opened' | EndedStatus> {
  const earlierAttempts = previousAttempts();
  const { organizationId } = charge;
  const attempt = await charge.load();
  if (attempt.status !== 'pending') return attempt.status;
  if (attempt.intentId) return 'opened';
  const ended = await charge.recordUnknownCharge?.(attempt);
  if (ended) return ended;
  if (attempt.keysExpired)
    return declineUnopened(charge, attempt, {
      failureCode: 'gateway_unavailable',
      failureMessage: 'The provider could not be reached.',
    });
  try {
    if (authorizesOnOpen(attempt)) await inTenant(organizationId, () => markAuthorizationRequested(attempt.id));
    const port = paymentPort(attempt.access);
    const opened = await port.openCharge(chargeRequest(charge, attempt, earlierAttempts));
    if (opened.status === 'declined') return await declineUnopened(charge, attempt, opened);
    await inTenant(organizationId, () => recordIntent(attempt.id, opened.intentId));
    // The attempt may have ended during the request. An authorization made after its end would never be released.
    const { status } = authorizesOnOpen(attempt) ? await charge.load() : attempt;
    if (status === 'pending') return 'opened';
    await port.cancelCharge(opened.intentId);
    return status;
  } catch (error) {
    if (!(error instanceof ChargeRefused) || mayHaveAuthorized(attempt, error)) throw error;
    return declineUnopened(charge, attempt, {
      failureCode: error.failureCode,
      failureMessage: 'The provider refused to open the charge.',
    });
  }
}

/** Captures the money, unless an earlier attempt has captured it. */
export async function confirmAttemptCharge(charge: AttemptCharge): Promise<'captured' | 'not_captured' | EndedStatus> {
  const earlierAttempts = previousAttempts();
  const attempt = await charge.load();
  if (attempt.status !== 'pending') return attempt.status;
  if (attempt.capturedCents) return 'captured';
  const port = paymentPort(attempt.access);
  const state =
    (earlierAttempts > 0 && (await earlierOutcome(port, attempt))) ||
    (await confirm(port, charge, attempt, earlierAttempts));
  return state === 'withheld' ? 'not_captured' : recordOutcome(charge, attempt, state);
}

/**
 * Cancels the charge at the provider, and ends the attempt only when nothing can be captured any more.
 * @returns `captured` if the money was captured before
 */
export async function abandonAttemptCharge(
  charge: AttemptCharge,
  failure: ChargeFailure = {},
): Promise<'captured' | EndedStatus> {
  const attempt = await charge.load();
  if (attempt.status !== 'pending') return attempt.status;
  // A charge without a recorded id was never confirmed and never will be. It may still have money authorized.
  if (!attempt.intentId) await releaseAuthorization(charge, attempt);
  const state = attempt.intentId ? await paymentPort(attempt.access).cancelCharge(attempt.intentId) : null;
  if (state?.status === 'captured') {
    await recordOutcome(charge, attempt, state);
    return 'captured';
  }
  if (state && state.status !== 'cancelled') throw new OutcomeUnknown('The charge is not cancelled yet.');
  await charge.decline(failure);
  return 'failed';
}

/** Returns the provider's id of the charge. */
export function intentOf({ intentId }: Attempt): string {
  if (!intentId) throw new Error('The charge was never opened.');
  return intentId;
}

const authorizesOnOpen = ({ access }: Attempt): boolean => adapterOf(access.provider).openingAuthorizes;

/**
 * Reports whether an earlier attempt may have authorized the money. True if an earlier attempt has asked the provider
 * and the provider now rejects our API key, because the outcome then cannot be read.
 */
const mayHaveAuthorized = ({ askedAt }: Attempt, error: ChargeRefused): boolean =>
  askedAt !== null && error instanceof CredentialsRefused;

const chargeRequest = (charge: AttemptCharge, attempt: Attempt, previousTries: number): OpenChargeRequest => ({
  amountCents: attempt.amountCents,
  currency: attempt.currency,
  reference: charge.referenceOf(attempt),
  paymentMethod: attempt.paymentMethod ?? '',
  isKept: charge.isKept,
  idempotencyKey: charge.openingKeyOf(attempt, authorizesOnOpen(attempt) ? null : previousTries),
  askedAt: attempt.askedAt,
});

/** Declines a charge that has no recorded id, after making sure that no money is authorized for it. */
async function declineUnopened(
  charge: AttemptCharge,
  attempt: Attempt,
  { failureCode, failureMessage }: { failureCode: string; failureMessage: string },
): Promise<'failed'> {
  await releaseAuthorization(charge, attempt);
  await charge.decline({ failureCode: failureCode.slice(0, 100), failureMessage: failureMessage.slice(0, 500) });
  return 'failed';
}

/**
 * Releases an authorization that an earlier request may have made.
 * @throws OutcomeUnknown while money may be authorized
 */
async function releaseAuthorization(charge: AttemptCharge, attempt: Attempt): Promise<void> {
  if (attempt.askedAt === null) return;
  const state = await paymentPort(attempt.access).closeOpening(chargeRequest(charge, attempt, 0));
  if (state && state.status !== 'cancelled' && state.status !== 'declined')
    throw new OutcomeUnknown('The authorization is not released yet.');
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
async function confirm(
  port: PaymentPort,
  { isKept, mayConfirm }: AttemptCharge,
  attempt: Attempt,
  earlierAttempts: number,
): Promise<ChargeState | 'withheld'> {
  const intentId = intentOf(attempt);
  if (attempt.overtaken)
    return declinedBy(intentId, 'remittance_already_paid', 'This remittance was already paid by another payment.');
  if (attempt.keysExpired)
    return declinedBy(intentId, 'gateway_unavailable', 'The provider could not be reached in time.');
  if (mayConfirm && !(await mayConfirm())) return 'withheld';
  try {
    return await port.confirmCharge({
      intentId,
      paymentMethod: attempt.paymentMethod ?? '',
      isKept,
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
  { organizationId, attemptId, recordCaptured }: AttemptCharge,
  attempt: Attempt,
  state: ChargeState,
): Promise<'captured' | 'not_captured'> {
  if (state.status === 'captured') {
    if (recordCaptured) await recordCaptured(attempt, state);
    else await inTenant(organizationId, () => recordCapture(attemptId, state.capturedCents));
    return 'captured';
  }
  if (state.status === 'declined') {
    await inTenant(organizationId, () => recordFailure(attemptId, state.failureCode, state.failureMessage));
  }
  if (state.status === 'processing' || state.status === 'waiting')
    throw new OutcomeUnknown('The provider does not know the outcome yet.');
  return 'not_captured';
}
