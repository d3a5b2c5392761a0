/** Waits for the outcome of a request to pay an invoice on a hosted page of the gateway. */
import { config } from '../../../config.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import {
  type HostedAnswer,
  type HostedClick,
  hostedPaymentErrors,
  openHostedAttempt,
  readHostedAnswer,
} from '../../../models/finances/attempts/hostedPayment.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { readUntil } from '../../http/readUntil.js';

/**
 * Maximum number of hosted pages that one request opens. If a page has already ended, a new one is opened; the new page
 * may end as well if the invoice changes again.
 */
const MAX_PAGES = 3;

/**
 * Waits up to PAY_WAIT_SECONDS until the gateway has opened the hosted page, or has confirmed that it is still open.
 * @throws Refusal invoice_not_payable, invoice_being_paid, earlier_page_open (409), payment_failed (400: nothing was
 * opened),
 *   unavailable (503: the next request finds the same attempt)
 */
export async function answerClick(actor: Actor, invoiceId: string, first: HostedClick) {
  const deadline = Date.now() + config.PAY_WAIT_SECONDS * 1000;
  let click = first;
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    const answer = await waitForAnswer(actor.organizationId, click, deadline);
    const { status, url, expiresAt } = answer;
    if (answer.processing) throw hostedPaymentErrors.invoice_being_paid();
    if (isStillOpen(answer)) throw hostedPaymentErrors.earlier_page_open();
    if (status === 'pending') {
      // If the gateway has not reported the page's state by the deadline, a page with a known address that is not being
      // closed is assumed to be open.
      if (!url || !expiresAt || answer.closing) break;
      return { url, expires_at: expiresAt.toISOString(), attempt: click.attemptId };
    }
    if (answer.refused) throw remittanceErrors.payment_failed();
    // The page has ended. If anything is still due, another page is opened for that amount.
    click = await inTenant(actor.organizationId, () => openHostedAttempt(invoiceId, actor.userId));
  }
  throw refuse.unavailable('The payment provider does not answer. Nothing was charged.', undefined, {
    'Retry-After': '10',
  });
}

/** Whether the provider was asked to close the page and has reported that it is still open. */
const isStillOpen = ({ status, isUpToDate, closing }: HostedAnswer): boolean =>
  status === 'pending' && isUpToDate && closing;

const waitForAnswer = (organizationId: string, click: HostedClick, deadline: number): Promise<HostedAnswer> =>
  readUntil(
    deadline,
    () => inTenant(organizationId, () => readHostedAnswer(click), { readOnly: true }),
    ({ status, processing, isUpToDate, closing }) => status !== 'pending' || processing || (isUpToDate && !closing),
  );
