/** The steps of a hosted page. Each reads the rows again and may be run any number of times. */
import { ApplicationFailure } from '@temporalio/activity';
import {
  ChargeRefused,
  type HostedPayment,
  type HostedState,
  OutcomeUnknown,
  type PaymentPort,
} from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { inTenant } from '../../models/database/tenancy.js';
import { AttemptMissing } from '../../models/finances/attempts/attempt.js';
import { type AttemptEnd, concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import {
  type HostedPage,
  loadPage,
  noteLook,
  noteOpening,
  noteProcessing,
  PAGE_CLOSED,
  rememberPage,
} from '../../models/finances/attempts/hostedPage.js';
import { recordInvoiceCharge } from '../../models/finances/captures/recordInvoiceCharge.js';
import type { HostedPageInput, HostedPageOutcome } from '../../workflows/contracts/hostedPage.js';
import { heartbeating } from '../heartbeating.js';

const END = { succeeded: 'paid', flagged: 'flagged', failed: 'closed' } as const satisfies Record<
  string,
  HostedPageOutcome
>;

/** How often a key is sent before another takes its place: an error that is stored under it would come back for ever. */
const TRIES_PER_KEY = 2;
/** A bank's transfer takes days; nobody waits for it at the screen. */
const PROCESSING_LOOK_SECONDS = 3_600;

/** Opens the page and commits its id, unless it is to be closed already. */
export const openPage = (input: HostedPageInput): Promise<void> =>
  heartbeating(async (previousTries) => {
    const page = await load(input);
    if (page.status !== 'pending' || page.sessionId || page.closing || page.stale) return;
    const port = paymentPort(page.access);
    // An answer that got lost may have opened the page: look first, or there would be one that nobody knows of.
    const [lost] = page.keys > 0 ? await port.findHostedPayments(referenceOf(input, page), sinceClicked(page)) : [];
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
      await giveUp(input, { failureCode: error.failureCode, failureMessage: 'The provider refused to open the page.' });
    }
  });

/** What a look has found: how the page ended, or when to ask again. */
export interface PageLook {
  ended: HostedPageOutcome | null;
  lookAgainInSeconds: number;
}

/** Asks the provider what became of the page, or has it closed where the rows say so; records what was paid on it. */
export const lookAtPage = (input: HostedPageInput): Promise<PageLook> =>
  heartbeating(async () => {
    const page = await load(input);
    if (page.status !== 'pending') return ended(END[page.status]);
    const port = paymentPort(page.access);
    const sessions = await sessionsOf(port, input, page);
    const states: HostedState[] = [];
    for (const { sessionId } of sessions) states.push(await ask(port, page, sessionId));

    const flagged = await recordPaid(input, page, states);
    if (states.some(({ status }) => status === 'paid')) return ended(flagged ? 'flagged' : 'paid');
    const processing = states.find(({ status }) => status === 'processing');
    if (processing?.status === 'processing') {
      await inTenant(input.organizationId, () => noteProcessing(page.id, processing.intentId));
      return { ended: null, lookAgainInSeconds: PROCESSING_LOOK_SECONDS };
    }
    if (states.some(({ status }) => status === 'open'))
      return { ended: null, lookAgainInSeconds: await inTenant(input.organizationId, () => noteLook(page.id)) };
    if (sessions.length === 0 && page.askedLately) throw new OutcomeUnknown('The page may be on its way.');
    await giveUp(input, failureOf(page, sessions.length > 0));
    return ended('closed');
  });

const ended = (outcome: HostedPageOutcome): PageLook => ({ ended: outcome, lookAgainInSeconds: 0 });

async function load({ organizationId, attemptId }: HostedPageInput): Promise<HostedPage> {
  try {
    return await inTenant(organizationId, () => loadPage(attemptId), { readOnly: true });
  } catch (error) {
    // A row that is gone does not come back: the process fails.
    throw error instanceof AttemptMissing ? ApplicationFailure.nonRetryable(error.message, 'NotFound') : error;
  }
}

const referenceOf = ({ organizationId }: HostedPageInput, page: HostedPage) => ({
  organization_id: organizationId,
  processor_id: page.processorId,
  invoice_id: page.invoiceId,
  attempt_id: page.id,
});

/** Clocks differ: the provider's may be some minutes behind the database's. */
const CLOCKS_DIFFER_MS = 600_000;
const sinceClicked = ({ createdAt }: HostedPage): Date => new Date(createdAt.getTime() - CLOCKS_DIFFER_MS);

/** The page's sessions at the provider: the one we know, and any that an answer that got lost may have opened. */
async function sessionsOf(
  port: PaymentPort,
  input: HostedPageInput,
  page: HostedPage,
): Promise<Pick<HostedPayment, 'sessionId'>[]> {
  const known = page.sessionId ? [{ sessionId: page.sessionId }] : [];
  if (page.keys === 0 || (page.sessionId && page.keys === 1)) return known;
  const found = await port.findHostedPayments(referenceOf(input, page), sinceClicked(page));
  return [...known, ...found.filter(({ sessionId }) => sessionId !== page.sessionId)];
}

/** Only the page that people are led to stays open, and only as long as it may be paid. */
const ask = (port: PaymentPort, page: HostedPage, sessionId: string): Promise<HostedState> =>
  page.closing || page.isOver || sessionId !== page.sessionId
    ? port.expireHostedPayment(sessionId)
    : port.readHostedPayment(sessionId);

/** @returns whether money was kept for an administrator */
async function recordPaid(
  { organizationId }: HostedPageInput,
  { invoiceId, processorId, id: attemptId }: HostedPage,
  states: HostedState[],
): Promise<boolean> {
  let flagged = false;
  for (const state of states) {
    if (state.status !== 'paid') continue;
    const { intentId, capturedCents: amountCents, currency } = state;
    const charge = { processorId, intentId, amountCents, currency, invoiceId, attemptId };
    const outcome = await inTenant(organizationId, () => recordInvoiceCharge(charge));
    flagged ||= outcome === 'flagged';
  }
  return flagged;
}

const giveUp = ({ organizationId, attemptId }: HostedPageInput, failure: Omit<AttemptEnd, 'status'>): Promise<void> =>
  inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure }));

function failureOf({ closing }: HostedPage, wasOpen: boolean): Omit<AttemptEnd, 'status'> {
  if (closing) return { failureCode: closing, failureMessage: PAGE_CLOSED[closing] };
  return wasOpen
    ? { failureCode: 'expired', failureMessage: 'Nobody paid before the page ended.' }
    : { failureCode: 'gateway_unavailable', failureMessage: 'The provider could not be reached.' };
}
