/** Pages that one attempt has at the provider: more than one when the answer to an opening got lost. */
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

/** After this time a request without an answer has either reached the gateway or never will. */
export const ON_ITS_WAY_SECONDS = 600;
/** The provider's clock may differ from the database's by some minutes. */
const CLOCKS_DIFFER_SECONDS = 600;

/** Metadata that identifies the attempt in everything opened for it. */
export const referenceOf = ({ organizationId }: HostedPageInput, page: HostedPage) => ({
  organization_id: organizationId,
  processor_id: page.processorId,
  invoice_id: page.invoiceId,
  attempt_id: page.id,
});

/** Pages of the attempt known to the provider, newest first. */
export const findPages = (port: PaymentPort, input: HostedPageInput, page: HostedPage): Promise<HostedPayment[]> =>
  port.findHostedPayments(referenceOf(input, page), whenOpened(page));

/** Period in which its openings may have created a page, by the provider's clock. */
const whenOpened = ({ createdAt, askedAt }: HostedPage): Period => ({
  from: later(createdAt, -CLOCKS_DIFFER_SECONDS),
  to: later(askedAt ?? new Date(), ON_ITS_WAY_SECONDS + CLOCKS_DIFFER_SECONDS),
});
const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/**
 * Reads the state of the page and of its siblings. Only the page shown to the payer stays open, while it can be paid
 * and no other page was paid. @returns null when no page can be paid any more and the key no longer opens the account
 */
export async function askAll(input: HostedPageInput, page: HostedPage): Promise<HostedState[] | null> {
  const port = paymentPort(page.access);
  try {
    const sessions = await sessionsOf(port, input, page);
    const states: HostedState[] = [];
    for (const { sessionId } of sessions) {
      const mayBePaid = sessionId === page.sessionId && !page.closing && !page.isOver;
      states.push(await (mayBePaid ? port.readHostedPayment(sessionId) : port.expireHostedPayment(sessionId)));
    }
    if (page.status === 'pending' && !states.some(isTaken)) return states;
    for (const [at, { sessionId }] of sessions.entries())
      if (states[at]?.status === 'open') states[at] = await port.expireHostedPayment(sessionId);
    return states;
  } catch (error) {
    // The outcome is recorded, or no payer was ever sent to the page: nothing is left to find out.
    const nothingLeft = page.outlived && (page.status !== 'pending' || page.sessionId === null);
    if (error instanceof CredentialsRefused && nothingLeft) return null;
    throw error;
  }
}

/** Sessions of the page at the provider: the recorded one, and any that a lost answer left behind. */
async function sessionsOf(
  port: PaymentPort,
  input: HostedPageInput,
  page: HostedPage,
): Promise<Pick<HostedPayment, 'sessionId'>[]> {
  const known = page.sessionId ? [{ sessionId: page.sessionId }] : [];
  if (page.keys === 0 || (page.sessionId && page.keys === 1)) return known;
  const found = await findPages(port, input, page);
  return [...known, ...found.filter(({ sessionId }) => sessionId !== page.sessionId)];
}

const isTaken = ({ status }: HostedState): boolean => status === 'paid' || status === 'processing';
