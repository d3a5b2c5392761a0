/** Steps of a hosted payment page. Each reads the rows again and may run any number of times. */
import { ChargeRefused, type HostedState, OutcomeUnknown } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type AttemptEnd, concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import {
  type HostedPage,
  loadPage,
  noteLook,
  noteOpening,
  notePagesClosed,
  noteProcessing,
  PAGE_CLOSED,
  rememberPage,
} from '../../models/finances/attempts/hostedPage.js';
import { recordInvoiceCharge } from '../../models/finances/captures/recordInvoiceCharge.js';
import type { HostedPageInput, HostedPageOutcome } from '../../workflows/contracts/hostedPage.js';
import { triesBefore } from '../tries.js';
import { askAll, findPages, ON_ITS_WAY_SECONDS, referenceOf } from './pageSessions.js';

const END = { succeeded: 'paid', flagged: 'flagged', failed: 'closed' } as const satisfies Record<
  string,
  HostedPageOutcome
>;

/** Tries per idempotency key: a provider stores an error under its key, and would return it for ever. */
const TRIES_PER_KEY = 2;
/** A bank transfer takes days; the payer does not wait on the page. */
const PROCESSING_LOOK_SECONDS = 3_600;

/** Opens the page and commits its id, unless the page is to be closed already. */
export const openPage = async (input: HostedPageInput): Promise<void> => {
  const previousTries = triesBefore();
  const page = await load(input);
  if (page.status !== 'pending' || page.sessionId || page.closing || page.stale) return;
  const port = paymentPort(page.access);
  // A lost answer may have opened the page: look first, or an unknown page stays open.
  const [lost] = page.keys > 0 ? await findPages(port, input, page) : [];
  if (lost) return inTenant(input.organizationId, () => rememberPage(page.id, lost));
  const key = await inTenant(input.organizationId, () => noteOpening(page.id, previousTries % TRIES_PER_KEY === 0));
  if (key === null) return;
  try {
    const opened = await port.openHostedPayment({
      amountCents: page.amountCents,
      currency: page.currency,
      description: page.description,
      reference: referenceOf(input, page),
      idempotencyKey: `hosted:${page.id}:${key}`,
      returnUrl: `${config.frontendUrl}/billing/invoices/${page.invoiceId}`,
    });
    await inTenant(input.organizationId, () => rememberPage(page.id, opened));
  } catch (error) {
    // After an unknown outcome, a refusal proves nothing about the request before it.
    if (!(error instanceof ChargeRefused) || page.keys > 0) throw error;
    const failureMessage = 'The provider refused to open the page.';
    await giveUpPages(input, { failureCode: error.failureCode, failureMessage });
  }
};

/** Result of a look-up: how the page ended, or when to look again. */
export interface PageLook {
  ended: HostedPageOutcome | null;
  lookAgainInSeconds: number;
}

/**
 * Asks the provider how the page ended, or has it closed where the rows say so; records what was paid on it. Once the
 * attempt is over, every page opened for it is closed: a lost answer may have left a second one.
 */
export const lookAtPage = async (input: HostedPageInput): Promise<PageLook> => {
  const page = await load(input);
  if (page.status !== 'pending' && page.closed) return ended(END[page.status]);
  const states = await askAll(input, page);
  if (states === null) {
    await giveUpPages(input, failureOf(page, false));
    return ended(END[page.status === 'pending' ? 'failed' : page.status]);
  }
  await recordPaid(input, page, states);
  const { status } = states.some(isPaid) ? await load(input) : page;
  if (status !== 'pending') return closeOff(input, page, END[status], states);
  const processing = states.find((state) => state.status === 'processing');
  if (processing) {
    await inTenant(input.organizationId, () => noteProcessing(page.id, processing.intentId));
    return again(PROCESSING_LOOK_SECONDS);
  }
  if (states.some(isOpen)) return again(await inTenant(input.organizationId, () => noteLook(page.id)));
  if (states.length === 0 && page.askedLately) throw new OutcomeUnknown('The page may be on its way.');
  await giveUp(input, failureOf(page, states.length > 0));
  return closeOff(input, page, 'closed', states);
};

const again = (lookAgainInSeconds: number): PageLook => ({ ended: null, lookAgainInSeconds });
const ended = (outcome: HostedPageOutcome): PageLook => ({ ended: outcome, lookAgainInSeconds: 0 });

const isPaid = ({ status }: HostedState): boolean => status === 'paid';
const isOpen = ({ status }: HostedState): boolean => status === 'open';

/** The attempt is over; the process ends when none of its pages is open. */
async function closeOff(
  { organizationId }: HostedPageInput,
  page: HostedPage,
  outcome: HostedPageOutcome,
  states: HostedState[],
): Promise<PageLook> {
  if (states.some(({ status }) => status === 'processing')) return again(PROCESSING_LOOK_SECONDS);
  // A page that its provider cannot close expires by itself.
  if (states.some(isOpen)) return again(await inTenant(organizationId, () => noteLook(page.id)));
  // A request under an earlier key may still be in flight and open a page.
  if (page.keys > 1 && page.askedLately) return again(ON_ITS_WAY_SECONDS);
  await inTenant(organizationId, () => notePagesClosed(page.id));
  return ended(outcome);
}

const load = ({ organizationId, attemptId }: HostedPageInput): Promise<HostedPage> =>
  inTenant(organizationId, () => loadPage(attemptId), { readOnly: true });

async function recordPaid(
  { organizationId }: HostedPageInput,
  { invoiceId, processorId, id: attemptId }: HostedPage,
  states: HostedState[],
): Promise<void> {
  for (const state of states) {
    if (state.status !== 'paid') continue;
    const { intentId, capturedCents: amountCents, currency } = state;
    const charge = { processorId, intentId, amountCents, currency, invoiceId, attemptId };
    await inTenant(organizationId, () => recordInvoiceCharge(charge));
  }
}

const giveUp = ({ organizationId, attemptId }: HostedPageInput, failure: Omit<AttemptEnd, 'status'>): Promise<void> =>
  inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure }));

/** Ends the attempt where no payable page exists. An attempt that has ended stays unchanged. */
const giveUpPages = (
  { organizationId, attemptId }: HostedPageInput,
  failure: Omit<AttemptEnd, 'status'>,
): Promise<void> =>
  inTenant(organizationId, async () => {
    await concludeAttempt({ attemptId }, { status: 'failed', ...failure });
    await notePagesClosed(attemptId);
  });

function failureOf({ closing }: HostedPage, wasOpen: boolean): Omit<AttemptEnd, 'status'> {
  if (closing) return { failureCode: closing, failureMessage: PAGE_CLOSED[closing] };
  return wasOpen
    ? { failureCode: 'expired', failureMessage: 'Nobody paid before the page ended.' }
    : { failureCode: 'gateway_unavailable', failureMessage: 'The provider could not be reached.' };
}
