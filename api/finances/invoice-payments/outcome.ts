/** What somebody is told who wants to pay an invoice on a page of the gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
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

const FIRST_LOOK_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** An earlier page that ends makes way for another, and that may find another change. */
const MOST_PAGES = 3;

/**
 * Waits, for as long as a person would, until the gateway has opened the page or has said that it is open still.
 * @throws Refusal invoice_not_payable, invoice_being_paid, earlier_page_open (409), payment_failed (400: nothing was opened),
 *   unavailable (503: the next click finds the same attempt)
 */
export async function answerClick(actor: Actor, invoiceId: string, first: HostedClick) {
  const deadline = Date.now() + config.PAY_WAIT_SECONDS * 1000;
  let click = first;
  for (let pages = 1; pages <= MOST_PAGES; pages += 1) {
    const answer = await untilKnown(actor.organizationId, click, deadline);
    const { status, url, expiresAt } = answer;
    if (answer.processing) throw hostedPaymentErrors.invoice_being_paid();
    if (isLeftOpen(answer)) throw hostedPaymentErrors.earlier_page_open();
    if (status === 'pending') {
      // One that the gateway has not been asked about just now is open all the same, for all that anybody knows.
      if (!url || !expiresAt || answer.closing) break;
      return { url, expires_at: expiresAt.toISOString(), attempt: click.attemptId };
    }
    if (answer.refused) throw remittanceErrors.payment_failed();
    // It has ended: what is due by now gets a page of its own, if anything is.
    click = await inTenant(actor.organizationId, () => openHostedAttempt(invoiceId, actor.userId));
  }
  throw refuse.unavailable('The payment provider does not answer. Nothing was charged.', undefined, {
    'Retry-After': '10',
  });
}

/** Asked to close it, the provider has said that it is open still. */
const isLeftOpen = ({ status, lookedAt, closing }: HostedAnswer): boolean =>
  status === 'pending' && lookedAt && closing;

async function untilKnown(organizationId: string, click: HostedClick, deadline: number): Promise<HostedAnswer> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const answer = await inTenant(organizationId, () => readHostedAnswer(click), { readOnly: true });
    const isKnown = answer.status !== 'pending' || answer.processing || (answer.lookedAt && !answer.closing);
    if (isKnown || Date.now() + pauseMs > deadline) return answer;
    await sleep(pauseMs);
  }
}
