/**
 * Hosted payment pages (sessions) that the provider has for one attempt to pay. There is more than one if the response
 * to an opening request was lost.
 */
import {
  CredentialsRefused,
  type HostedPayment,
  type HostedState,
  type PaymentPort,
  type Period,
} from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import type { HostedPage } from '../../models/finances/attempts/hostedPage.js';
import type { HostedPageInput } from '../../workflows/contracts/hostedPage.js';

/**
 * Seconds that an opening request without a response is given. After them, it has either reached the provider or never
 * will.
 */
export const IN_FLIGHT_SECONDS = 600;
/** The provider's clock may differ from the database's clock by some minutes. */
const CLOCK_SKEW_SECONDS = 600;

/** Returns the metadata that is sent with each page opened for the attempt, so that the page can be found again. */
export const referenceOf = ({ organizationId }: HostedPageInput, page: HostedPage) => ({
  organization_id: organizationId,
  processor_id: page.processorId,
  ...(page.invoiceId && { invoice_id: page.invoiceId }),
  ...(page.donationId && { donation_id: page.donationId }),
  ...(page.pledgeId && { pledge_id: page.pledgeId }),
  attempt_id: page.id,
});

/** Finds the pages of the attempt that the provider knows, newest first. */
export const findPages = (port: PaymentPort, input: HostedPageInput, page: HostedPage): Promise<HostedPayment[]> =>
  port.findHostedPayments(referenceOf(input, page), openingPeriod(page));

/** Returns the period in which opening requests may have created a page, by the provider's clock. */
const openingPeriod = ({ createdAt, askedAt }: HostedPage): Period => ({
  from: addSeconds(createdAt, -CLOCK_SKEW_SECONDS),
  to: addSeconds(askedAt ?? new Date(), IN_FLIGHT_SECONDS + CLOCK_SKEW_SECONDS),
});
const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/**
 * Reads the state of the attempt's page and of its duplicates. Every duplicate is closed. The page shown to the payer
 * stays open while it can be paid and no other page was paid.
 * @returns null when no page can be paid any more and the provider no longer accepts the API key
 */
export async function readStates(input: HostedPageInput, page: HostedPage): Promise<HostedState[] | null> {
  const port = paymentPort(page.access);
  try {
    const sessions = await sessionsOf(port, input, page);
    const states: HostedState[] = [];
    for (const { sessionId } of sessions) {
      const mayBePaid = sessionId === page.sessionId && !page.closing && !page.isExpired;
      states.push(await (mayBePaid ? port.readHostedPayment(sessionId) : port.expireHostedPayment(sessionId)));
    }
    if (page.status === 'pending' && !states.some(isPaidOrProcessing)) return states;
    for (const [at, { sessionId }] of sessions.entries())
      if (states[at]?.status === 'open') states[at] = await port.expireHostedPayment(sessionId);
    return states;
  } catch (error) {
    // The outcome is recorded, or no payer was ever sent to the page, so nothing remains to be read.
    const isSettled = page.isPastMaxLifetime && (page.status !== 'pending' || page.sessionId === null);
    if (error instanceof CredentialsRefused && isSettled) return null;
    throw error;
  }
}

/** Returns the sessions of the attempt at the provider: the recorded one, and any that a lost response left behind. */
async function sessionsOf(
  port: PaymentPort,
  input: HostedPageInput,
  page: HostedPage,
): Promise<Pick<HostedPayment, 'sessionId'>[]> {
  const recorded = page.sessionId ? [{ sessionId: page.sessionId }] : [];
  if (page.keys === 0 || (page.sessionId && page.keys === 1)) return recorded;
  const sessions = await findPages(port, input, page);
  return [...recorded, ...sessions.filter(({ sessionId }) => sessionId !== page.sessionId)];
}

const isPaidOrProcessing = ({ status }: HostedState): boolean => status === 'paid' || status === 'processing';
