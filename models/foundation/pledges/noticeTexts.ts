/** Texts of the mails to the donor of a pledge. */
import { money } from '../../finances/money.js';
import { formatDay } from '../receipts/receiptTexts.js';
import { pledgeLink } from './links.js';
import type { NoticeKind } from './PledgeNotice.js';
import type { Canceller, RecurringInterval } from './vocabulary.js';

/** Facts of a pledge that the texts contain. Days are in the time zone of the foundation. */
export interface NoticeFacts {
  pledge_id: string;
  kind: NoticeKind;
  campaign: string;
  foundation: string;
  ein: string | null;
  mailing_address: string | null;
  amount_cents: number;
  currency: string;
  recurring_interval: RecurringInterval;
  next_due_on: string | null;
  resume_on: string | null;
  cancelled_on: string | null;
  cancelled_by: Canceller | null;
  cancel_reason: string | null;
  /** Whether the card is charged again for the period that the mail is about. */
  is_tried_again: boolean;
}

/** How often a pledge is charged, in words. */
export const INTERVAL_WORDS: Record<RecurringInterval, string> = {
  monthly: 'every month',
  quarterly: 'every quarter',
  annually: 'every year',
};

const SUBJECTS: Record<NoticeKind, string> = {
  started: 'Your regular gift has started',
  declined: 'Your gift could not be charged',
  cancelled: 'Your regular gift is cancelled',
  paused: 'Your regular gift is paused',
  resumed: 'Your regular gift goes on',
  returned: 'We return your last gift',
  upcoming: 'Your next gift is due soon',
};

/** Why the process cancelled a pledge, in words. */
const REASONS: Record<string, string> = {
  card_gone: 'It is cancelled because the card is no longer available.',
  payments_missed: 'It is cancelled because the last gifts could not be charged.',
};

const whyCancelled = ({ cancelled_by, cancel_reason, foundation }: NoticeFacts): string => {
  if (cancelled_by === 'process') return REASONS[cancel_reason ?? ''] ?? '';
  return cancelled_by === 'admin' ? `${foundation} has cancelled it.` : '';
};

function paragraphsOf(facts: NoticeFacts): string[] {
  const { campaign, recurring_interval, next_due_on, resume_on, cancelled_on } = facts;
  const gift = `${money(facts.amount_cents, facts.currency)} ${INTERVAL_WORDS[recurring_interval]} to ${campaign}`;
  const next = next_due_on === null ? '' : `The next gift is charged on ${formatDay(next_due_on)}.`;
  const texts: Record<NoticeKind, string[]> = {
    started: [`Thank you. You give ${gift}.`, next],
    declined: [
      `You give ${gift}. Your card was declined.`,
      'You can pay with another card, which is then charged for the next gifts as well.',
      facts.is_tried_again
        ? 'Otherwise we try your card again within two weeks.'
        : 'We do not charge your card again, and have it deleted.',
    ],
    cancelled: [
      `You gave ${gift}. This ended${cancelled_on === null ? '' : ` on ${formatDay(cancelled_on)}`}. ${whyCancelled(facts)}`.trim(),
      'Your card is not charged again. If a charge was already on its way, the money is returned to you, and we tell you.',
    ],
    paused: [
      `You give ${gift}. This is paused now, and your card is not charged.`,
      resume_on === null ? '' : `It goes on by itself on ${formatDay(resume_on)}.`,
    ],
    resumed: [`You give ${gift}. This goes on after a pause.`, next],
    returned: [
      `You cancelled your gift of ${gift} while your card was being charged. The charge succeeded, so we have it returned to your card.`,
      'The receipt of this gift is not valid.',
    ],
    upcoming: [`You give ${gift}.`, next],
  };
  return texts[facts.kind].filter((text) => text !== '');
}

/** Links of mails about pledges that go on. */
function buttonOf({ kind, pledge_id }: NoticeFacts) {
  if (kind === 'declined') return { label: 'Pay with another card', url: pledgeLink('pay', pledge_id) };
  return { label: 'Cancel this regular gift', url: pledgeLink('cancel', pledge_id) };
}

/** Composes a mail about a pledge. */
export function composeNotice(facts: NoticeFacts) {
  const { kind, foundation, ein, mailing_address, pledge_id } = facts;
  const isOver = kind === 'cancelled' || kind === 'returned';
  return {
    subject: `${SUBJECTS[kind]}: ${foundation}`,
    sender: foundation,
    paragraphs: paragraphsOf(facts),
    ...(!isOver && { button: buttonOf(facts) }),
    footer: [
      ein === null ? foundation : `${foundation}, EIN ${ein}`,
      ...(mailing_address === null ? [] : [mailing_address]),
      ...(isOver ? [] : [`Cancel this regular gift: ${pledgeLink('cancel', pledge_id)}`]),
    ],
  };
}
