/** The pages of one attempt at the provider: more than one where the answer of an opening got lost. */
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

/** By then a request that got no answer has reached the gateway, or never will. */
export const ON_ITS_WAY_SECONDS = 600;
/** Clocks differ: the provider's may be some minutes away from the database's. */
const CLOCKS_DIFFER_SECONDS = 600;

/** Names the attempt in everything that is opened for it. */
export const referenceOf = ({ organizationId }: HostedPageInput, page: HostedPage) => ({
  organization_id: organizationId,
  processor_id: page.processorId,
  invoice_id: page.invoiceId,
  attempt_id: page.id,
});

/** Pages that the provider knows of the attempt, the newest first. */
export const findPages = (port: PaymentPort, input: HostedPageInput, page: HostedPage): Promise<HostedPayment[]> =>
  port.findHostedPayments(referenceOf(input, page), whenOpened(page));

/** When its openings may have made a page, by the provider's clock. */
const whenOpened = ({ createdAt, askedAt }: HostedPage): Period => ({
  from: later(createdAt, -CLOCKS_DIFFER_SECONDS),
  to: later(askedAt ?? new Date(), ON_ITS_WAY_SECONDS + CLOCKS_DIFFER_SECONDS),
});
const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/**
 * What has become of the page and of its siblings. Only the page that people are led to stays open, as long as it may be
 * paid and nobody has paid on another. @returns null where nobody can pay any more, and the key opens the account no more
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
    // What is known of the outcome is on record, or nobody was ever led to the page: nothing is left to find out.
    const nothingLeft = page.outlived && (page.status !== 'pending' || page.sessionId === null);
    if (error instanceof CredentialsRefused && nothingLeft) return null;
    throw error;
  }
}

/** The page's sessions at the provider: the one we know, and any that an answer that got lost may have opened. */
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
