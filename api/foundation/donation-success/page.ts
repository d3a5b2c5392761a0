/** The page to which donors return. It says what the database knows of their gift, and refreshes until it knows the outcome. */
import { money } from '../../../models/finances/money.js';
import type { PublicGift } from '../../../models/foundation/donations/readGift.js';
import { escapeHtml, htmlPage } from '../../http/htmlPage.js';

type State = 'completed' | 'refunded' | 'under_review' | 'pending' | 'failed';

const HEADINGS: Record<State, string> = {
  completed: 'Thank you for your gift',
  refunded: 'Your gift was refunded',
  under_review: 'Your gift is under review',
  pending: 'Waiting for your payment',
  failed: 'Your gift was not paid',
};

const RECEIPTS: Record<PublicGift['receipt']['status'], string> = {
  none: 'We mail your receipt as soon as it is issued.',
  issued: 'We mail your receipt to the address that you gave.',
  mailed: 'We have mailed your receipt to the address that you gave.',
  undeliverable: 'We could not deliver the mail with your receipt. Please ask the foundation for it.',
  void: '',
};

/**
 * Number of refreshes at the short interval, so that a payment shows within seconds. Further refreshes use the long
 * interval.
 */
const MAX_QUICK_LOOKS = 10;
const QUICK_SECONDS = 2;
const SLOW_SECONDS = 30;

/**
 * Returns the seconds until the next look; null when nothing is expected to change. A donor can pay with another card
 * after a declined one, so a failed gift is looked at for a while.
 */
function secondsUntilNextLook(state: State, look: number): number | null {
  if (state !== 'pending' && state !== 'failed') return null;
  if (look < MAX_QUICK_LOOKS) return QUICK_SECONDS;
  return state === 'pending' ? SLOW_SECONDS : null;
}

/**
 * @param look how often the page has refreshed itself
 * @param again address of the campaign's page; null if it has none
 */
export function giftPage(gift: PublicGift, look: number, again: string | null) {
  const state = gift.under_review && gift.status === 'pending' ? 'under_review' : gift.status;
  const seconds = secondsUntilNextLook(state, look);
  const leadsTo = seconds !== null && {
    url: `/donation-success/?donation_id=${gift.id}&look=${look + 1}`,
    seconds,
  };
  const texts = textsOf(gift)[state].filter((text) => text !== '');
  const link = state === 'failed' && again ? `\n<p><a href="${escapeHtml(again)}">Give again</a></p>` : '';
  return htmlPage(HEADINGS[state], `${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}${link}`, {
    ...(leadsTo && { leadsTo }),
  });
}

function textsOf({ amount_cents, refunded_cents, currency, campaign, receipt }: PublicGift): Record<State, string[]> {
  const amount = money(amount_cents, currency);
  const refunded = refunded_cents > 0 ? `${money(refunded_cents, currency)} of it was refunded.` : '';
  const number = receipt.number === null ? '' : `Its number is ${receipt.number}.`;
  return {
    completed: [
      `We have received ${amount} for ${campaign.title}.`,
      refunded,
      `${RECEIPTS[receipt.status]} ${receipt.status === 'void' ? '' : number}`.trim(),
    ],
    refunded: [`${amount} for ${campaign.title} was given back to you. The receipt of this gift is no longer valid.`],
    under_review: [
      `The payment provider reports another payment than ${amount} for ${campaign.title}. The foundation decides what happens to it. Please do not pay again.`,
    ],
    pending: [
      `The payment provider has not confirmed your payment of ${amount} for ${campaign.title} yet.`,
      'This page looks again by itself.',
    ],
    failed: [
      `${amount} for ${campaign.title} was not paid: the payment was declined, or its page was left. Nothing was charged.`,
      'If you have just paid with another card, this page shows it within seconds.',
    ],
  };
}

/** Page for an id that belongs to no gift, whether the id is malformed or unknown. */
export const unknownGiftPage = () =>
  htmlPage('Gift not found', '<p>We know no gift with this address. Check that the address is complete.</p>', {
    status: 404,
  });

/** The gift cannot be read at the moment. The page looks again by itself. */
export const laterPage = (message: string, look: string) =>
  htmlPage('Please wait', `<p>${escapeHtml(message)}</p>\n<p>This page looks again by itself.</p>`, {
    leadsTo: { url: look, seconds: SLOW_SECONDS },
  });
