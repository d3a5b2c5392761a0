/** Steps of a hosted payment page. Each step reads the rows again and may run any number of times. */
import { ChargeRefused, type HostedState, OutcomeUnknown } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { AttemptEnd } from '../../models/finances/attempts/concludeAttempt.js';
import {
  failPage,
  type HostedPage,
  loadHostedPage,
  recordPageCheck,
  recordPageRequest,
  recordPagesClosed,
  recordProcessing,
  PAGE_CLOSED,
  recordPage,
} from '../../models/finances/attempts/hostedPage.js';
import { recordGiftCharge } from '../../models/finances/captures/recordGiftCharge.js';
import { recordInvoiceCharge } from '../../models/finances/captures/recordInvoiceCharge.js';
import { financesUpstream } from '../../models/finances/upstream.js';
import type { HostedPageInput, HostedPageOutcome } from '../../workflows/contracts/hostedPage.js';
import { previousAttempts } from '../attempts.js';
import { readStates, findPages, IN_FLIGHT_SECONDS, referenceOf } from './pageSessions.js';

const OUTCOMES = { succeeded: 'paid', flagged: 'flagged', failed: 'closed' } as const satisfies Record<
  string,
  HostedPageOutcome
>;

/**
 * Number of attempts with the same idempotency key. After them a new key is used, because a provider stores an error
 * under its key and would return it again and again.
 */
const ATTEMPTS_PER_KEY = 2;
/** Interval for payments in process: a bank transfer takes days, and the payer does not wait on the page. */
const PROCESSING_POLL_SECONDS = 3_600;

/** Opens the hosted page and commits its session id, unless the page must be closed already. */
export const openPage = async (input: HostedPageInput): Promise<void> => {
  const earlierAttempts = previousAttempts();
  const page = await load(input);
  if (page.status !== 'pending' || page.sessionId || page.closing || page.stale) return;
  const port = paymentPort(page.access);
  // An earlier request may have opened the page although its response was lost. Search for it first, or an unknown page
  // stays open.
  const [lost] = page.keys > 0 ? await findPages(port, input, page) : [];
  if (lost) return inTenant(input.organizationId, () => recordPage(page.id, lost));
  const key = await inTenant(input.organizationId, () =>
    recordPageRequest(page.id, earlierAttempts % ATTEMPTS_PER_KEY === 0),
  );
  if (key === null) return;
  try {
    const opened = await port.openHostedPayment({
      amountCents: page.amountCents,
      currency: page.currency,
      description: page.description,
      reference: referenceOf(input, page),
      idempotencyKey: `hosted:${page.id}:${key}`,
      doneUrl: page.doneUrl,
      cancelUrl: page.cancelUrl,
      keepsCard: page.keepsCard,
    });
    await inTenant(input.organizationId, () => recordPage(page.id, opened));
  } catch (error) {
    // If an earlier request has an unknown outcome, a refusal of this one proves nothing about it.
    if (!(error instanceof ChargeRefused) || page.keys > 0) throw error;
    const failureMessage = 'The provider refused to open the page.';
    await failAndClosePages(input, page, { failureCode: error.failureCode, failureMessage });
  }
};

/** Result of a look-up: the outcome of the page, or the seconds until the next look-up. */
export interface PageCheck {
  ended: HostedPageOutcome | null;
  lookAgainInSeconds: number;
}

/**
 * Looks at the hosted page. Reads its state from the provider, or has the page closed if its rows require that, and
 * records payments made on it. When the attempt has ended, closes every page opened for it, because a lost response may
 * have left a second page.
 */
export const lookAtPage = async (input: HostedPageInput): Promise<PageCheck> => {
  const page = await load(input);
  if (page.status !== 'pending' && page.closed) return endWith(OUTCOMES[page.status]);
  const states = await readStates(input, page);
  if (states === null) {
    await failAndClosePages(input, page, failureOf(page, false));
    return endWith(OUTCOMES[page.status === 'pending' ? 'failed' : page.status]);
  }
  await recordPayments(input, page, states);
  const { status } = states.some(isPaid) ? await load(input) : page;
  if (status !== 'pending') return closePages(input, page, OUTCOMES[status], states);
  const processing = states.find((state) => state.status === 'processing');
  if (processing) {
    await inTenant(input.organizationId, () => recordProcessing(page.id, processing.intentId));
    return pollAgain(PROCESSING_POLL_SECONDS);
  }
  if (states.some(isOpen)) return pollAgain(await inTenant(input.organizationId, () => recordPageCheck(page.id)));
  if (states.length === 0 && page.mayBeInFlight)
    throw new OutcomeUnknown('A page may still be opening at the provider.');
  await inTenant(input.organizationId, () => failPage(page, failureOf(page, states.length > 0)));
  return closePages(input, page, 'closed', states);
};

const pollAgain = (lookAgainInSeconds: number): PageCheck => ({ ended: null, lookAgainInSeconds });
const endWith = (outcome: HostedPageOutcome): PageCheck => ({ ended: outcome, lookAgainInSeconds: 0 });

const isPaid = ({ status }: HostedState): boolean => status === 'paid';
const isOpen = ({ status }: HostedState): boolean => status === 'open';

/** Closes the pages of an attempt that has ended. The process ends when no page is open. */
async function closePages(
  { organizationId }: HostedPageInput,
  page: HostedPage,
  outcome: HostedPageOutcome,
  states: HostedState[],
): Promise<PageCheck> {
  if (states.some(({ status }) => status === 'processing')) return pollAgain(PROCESSING_POLL_SECONDS);
  // Some providers cannot close a page; such a page expires by itself.
  if (states.some(isOpen)) return pollAgain(await inTenant(organizationId, () => recordPageCheck(page.id)));
  // A request under an earlier key may still be in flight and may open a page.
  if (page.keys > 1 && page.mayBeInFlight) return pollAgain(IN_FLIGHT_SECONDS);
  await inTenant(organizationId, () => recordPagesClosed(page.id));
  return endWith(outcome);
}

const load = ({ organizationId, attemptId }: HostedPageInput): Promise<HostedPage> =>
  inTenant(organizationId, () => loadHostedPage(attemptId), { readOnly: true });

async function recordPayments(
  { organizationId }: HostedPageInput,
  { invoiceId, donationId, processorId, access, id: attemptId }: HostedPage,
  states: HostedState[],
): Promise<void> {
  for (const state of states) {
    if (state.status !== 'paid') continue;
    const { intentId, capturedCents: amountCents, capturedAt, currency, keptCard } = state;
    const charge = { processorId, intentId, amountCents, currency, attemptId };
    const isCardNeeded = await inTenant(organizationId, async () => {
      if (invoiceId) await recordInvoiceCharge({ ...charge, invoiceId });
      if (!donationId) return false;
      await recordGiftCharge({ ...charge, donationId, capturedAt });
      return keptCard !== null && financesUpstream().donationCardKept({ donationId, processorId, keptCard });
    });
    if (keptCard !== null && !isCardNeeded) await paymentPort(access).forgetCard(keptCard);
  }
}

/** Ends the attempt when no payable page exists. An attempt that has already ended stays unchanged. */
const failAndClosePages = (
  { organizationId }: HostedPageInput,
  page: HostedPage,
  failure: Omit<AttemptEnd, 'status'>,
): Promise<void> =>
  inTenant(organizationId, async () => {
    await failPage(page, failure);
    await recordPagesClosed(page.id);
  });

function failureOf({ closing }: HostedPage, wasOpen: boolean): Omit<AttemptEnd, 'status'> {
  if (closing) return { failureCode: closing, failureMessage: PAGE_CLOSED[closing] };
  return wasOpen
    ? { failureCode: 'expired', failureMessage: 'The page expired without a payment.' }
    : { failureCode: 'gateway_unavailable', failureMessage: 'The provider could not be reached.' };
}
