/** Pages behind the signed links in mails to the donor of a pledge. Mail scanners follow links, so opening one changes nothing. */
import { money } from '../../../models/finances/money.js';
import { INTERVAL_WORDS } from '../../../models/foundation/pledges/noticeTexts.js';
import type { DonorPledge } from '../../../models/foundation/pledges/openPeriodPage.js';
import { formatDay } from '../../../models/foundation/receipts/receiptTexts.js';
import { escapeHtml, htmlPage, SENDS_ORIGIN } from '../../http/htmlPage.js';

const giftOf = ({ amount_cents, currency, interval, campaign, foundation_name }: DonorPledge): string =>
  escapeHtml(`${money(amount_cents, currency)} ${INTERVAL_WORDS[interval]} to ${campaign} of ${foundation_name}`);

const form = (button: string): string => `<form method="post"><p><button type="submit">${button}</button></p></form>`;

/** Asks whether to cancel a pledge. */
export function cancelPage(pledge: DonorPledge) {
  if (pledge.status === 'cancelled') return cancelledPage(pledge, false);
  const next = pledge.next_due_on === null ? '' : `<p>The next gift is due on ${formatDay(pledge.next_due_on)}.</p>`;
  return htmlPage(
    'Cancel your regular gift',
    `<p>You give ${giftOf(pledge)}.</p>\n${next}\n<p>If you cancel it, your card is not charged again.</p>
${form('Cancel my regular gift')}`,
    { headers: SENDS_ORIGIN },
  );
}

/** What the donor reads after cancelling a pledge whose charge may still succeed. */
export const CHARGE_IN_FLIGHT =
  'A charge was already on its way. If it succeeds, the money is returned to your card, and we tell you by mail.';

/** @param isInFlight whether a charge may still succeed */
export function cancelledPage(pledge: DonorPledge, isInFlight: boolean) {
  const since = pledge.cancelled_on === null ? '' : ` since ${formatDay(pledge.cancelled_on)}`;
  const inFlight = isInFlight ? `<p>${CHARGE_IN_FLIGHT}</p>` : '';
  return htmlPage(
    'Your regular gift is cancelled',
    `<p>You gave ${giftOf(pledge)}. This is cancelled${since}, and your card is not charged again.</p>\n${inFlight}`,
  );
}

/** Asks whether to pay the open period with another card. */
export function cardPage(pledge: DonorPledge) {
  if (pledge.status === 'cancelled') return cancelledPage(pledge, false);
  if (!pledge.has_open_period) return nothingDuePage(pledge);
  const amount = escapeHtml(money(pledge.amount_cents, pledge.currency));
  return htmlPage(
    'Pay with another card',
    `<p>You give ${giftOf(pledge)}. Your card was declined.</p>
<p>You pay ${amount} on the page of our payment provider. The card that you enter there is kept for the next gifts, and the card before is deleted.</p>
${form(`Pay ${amount} with another card`)}`,
    { headers: SENDS_ORIGIN },
  );
}

const nothingDuePage = (pledge: DonorPledge) =>
  htmlPage('Nothing is due', `<p>You give ${giftOf(pledge)}. No gift waits for a payment at the moment.</p>`);

export const unknownLinkPage = () =>
  htmlPage('Link not valid', '<p>This link is not valid. Check that the address is complete.</p>', { status: 404 });

/** @param path of the page to look at again */
export const refusedLinkPage = (message: string, path: string) =>
  htmlPage('That did not work', `<p>${escapeHtml(message)}</p>\n<p><a href="${escapeHtml(path)}">Look again</a></p>`);
