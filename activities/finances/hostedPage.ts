/** The steps of a hosted page. Each reads the rows again and may be run any number of times. */
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

/** How often a key is sent before another takes its place: an error that is stored under it would come back for ever. */
const TRIES_PER_KEY = 2;
/** A bank's transfer takes days; nobody waits for it at the screen. */
const PROCESSING_LOOK_SECONDS = 3_600;

/** Opens the page and commits its id, unless it is to be closed already. */
export const openPage = async (input: HostedPageInput): Promise<void> => {
  const previousTries = triesBefore();
  const page = await load(input);
  if (page.status !== 'pending' || page.sessionId || page.closing || page.stale) return;
  const port = paymentPort(page.access);
  // An answer that got lost may have opened the page: look first, or there would be one that nobody knows of.
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
    // After an unknown outcome a refusal proves nothing about the request before it.
    if (!(error instanceof ChargeRefused) || page.keys > 0) throw error;
    const failureMessage = 'The provider refused to open the page.';
    await giveUpPages(input, { failureCode: error.failureCode, failureMessage });
  }
};

/** What a look has found: how the page ended, or when to ask again. */
export interface PageLook {
  ended: HostedPageOutcome | null;
  lookAgainInSeconds: number;
}

/**
 * Asks the provider what became of the page, or has it closed where the rows say so; records what was paid on it. Once the
 * attempt is over, whoever has ended it, every page that its openings have made is closed: an answer that got lost may
 * have left a second one.
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

/** The attempt is over; its process is, as soon as no page of it is left. */
async function closeOff(
  { organizationId }: HostedPageInput,
  page: HostedPage,
  outcome: HostedPageOutcome,
  states: HostedState[],
): Promise<PageLook> {
  if (states.some(({ status }) => status === 'processing')) return again(PROCESSING_LOOK_SECONDS);
  // One that its provider cannot close ends by itself.
  if (states.some(isOpen)) return again(await inTenant(organizationId, () => noteLook(page.id)));
  // A request under an earlier key may be on its way still, and open one.
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

/** Where there is no page that anybody could pay on. An attempt that has ended stays as it is. */
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
