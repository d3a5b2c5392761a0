/**
 * The actions of people during a run. Each story uses its own invoices, except where two people compete for the same
 * ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice.js';
import {
  askToPay,
  type Club,
  endOf,
  createDraft,
  look,
  lookUntilKnown,
  openPageOf,
  pay,
  refund,
  type Remittance,
  resolve,
} from './club.js';
import { give, refundGift, refundGiftElsewhere, resolveGift } from './gifts.js';
import { issueAnnualReceipts, mailBulletin, pledge } from './pledges.js';

type Story = (club: Club, dice: Dice) => Promise<void>;

const CARD = 'pm_card_visa';
const OTHER_CARD = 'pm_card_mastercard';
const DECLINED = [
  'pm_card_chargeDeclined',
  'pm_card_chargeDeclinedInsufficientFunds',
  'pm_card_authenticationRequired',
];
/** Faults that the gateway may inject while it opens a page. */
const OPENING_FAULTS = ['drop_before_capture', 'drop_after_capture', 'error_before_capture', 'error_after_capture'];
const MAX_REMEMBERED = 40;

/** One charge pays for several members. */
const payTheDues: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance) return;
  await finish(club, remittance.id, await pay(club, remittance.id, CARD));
};

/** A card is declined, and another card pays. */
const declinedCard: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance || (await pay(club, remittance.id, dice.oneOf(DECLINED))) !== 'declined') return;
  if (dice.chance(0.7)) await finish(club, remittance.id, await pay(club, remittance.id, OTHER_CARD));
};

/** The gateway's connection is cut before or after the capture, or the gateway does not answer at all. */
const cutConnection: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance) return;
  const kind = dice.oneOf([
    'drop_before_capture',
    'drop_after_capture',
    'drop_after_capture',
    'hang',
    'error_after_capture',
  ]);
  await club.gateway.injectFault({ kind, remittance_id: remittance.id, times: dice.between(1, 3) });
  await finish(club, remittance.id, await pay(club, remittance.id, CARD));
};

/** An invoice is voided during its charge. */
const voidedDuringCharge: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  const [first] = remittance?.allocations ?? [];
  if (!remittance || !first) return;
  await club.gateway.injectFault({ kind: 'hold', remittance_id: remittance.id });
  const paying = pay(club, remittance.id, CARD);
  await sleep(dice.between(200, 900));
  const reason = 'Billed by mistake.';
  const voided = await club.admin.insist('void', 'POST', `/api/invoices/${first.invoice}/void/`, { reason });
  if (voided.status === 200) club.diary.promise('voided', first.invoice);
  await club.gateway.release({ remittance_id: remittance.id });
  await finish(club, remittance.id, await paying);
};

/** The gateway captures a different amount than requested. */
const wrongAmount: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance) return;
  const cents = remittance.total_cents - dice.between(1, 500);
  await club.gateway.injectFault({ kind: 'capture_amount', amount_cents: cents, remittance_id: remittance.id });
  await finish(club, remittance.id, await pay(club, remittance.id, CARD));
};

/** The officer closes the window after the click and does not come back. */
const walkAway: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance) return;
  await club.beforePaying(remittance.id);
  const answer = await askToPay(club, remittance.id, CARD, dice.between(5, 400));
  endOf(club, remittance.id, answer);
};

/** The officer clicks 'pay' twice. */
const doubleClick: Story = async (club, dice) => {
  const remittance = await draft(club, dice);
  if (!remittance) return;
  const answers = await Promise.all([askToPay(club, remittance.id, CARD), askToPay(club, remittance.id, CARD)]);
  if (answers.some((answer) => answer.status === 200)) club.diary.promise('settled', remittance.id);
  const seen = await lookUntilKnown(club, remittance.id, answers[0]);
  if (seen) await finish(club, remittance.id, seen.status === 'needs_reconciliation' ? 'flagged' : 'unknown');
};

/** Two officers draft the same invoices and pay at the same moment. */
const rivals: Story = async (club, dice) => {
  const invoices = await club.invoices.take(dice.between(2, 4));
  const drafts = await Promise.all([createDraft(club, invoices), createDraft(club, invoices)]);
  await Promise.all(
    drafts.map(async (remittance) => remittance && finish(club, remittance.id, await pay(club, remittance.id, CARD))),
  );
};

/**
 * A member's invoice is paid on the gateway's page. Events may be withheld, and opening the page may fail. The payer
 * may click twice or pay on an old page, and an administrator may void the invoice meanwhile.
 */
const hostedPage: Story = async (club, dice) => {
  const [invoice] = await club.invoices.take(1);
  if (!invoice) return;
  const isSilent = dice.chance(0.6);
  if (isSilent) await club.gateway.withholdEvents({ invoice_id: invoice.id });
  if (dice.chance(0.3)) await club.gateway.injectFault({ kind: dice.oneOf(OPENING_FAULTS), operation: 'checkout' });
  const clicks = await Promise.all(Array.from({ length: dice.between(1, 2) }, () => openPageOf(club, invoice.id)));
  const [page] = clicks.filter((one) => one !== null);
  if (!page) return;
  club.diary.promise('page_opened', page.attempt);
  if (dice.chance(0.15)) return;
  const reason = 'Billed by mistake.';
  const voiding = dice.chance(0.25)
    ? club.admin.insist('void', 'POST', `/api/invoices/${invoice.id}/void/`, { reason })
    : null;
  const paid = await club.gateway.payOnPage(page.url, dice.oneOf([CARD, CARD, CARD, ...DECLINED]));
  if (paid) club.diary.promise('paid_on_page', page.attempt);
  await voiding;
  if (paid) club.paidOnPage.push(invoice.id);
  // Count only payments that the platform must discover on its own. When an administrator voids the invoice, the page's
  // workflow asks the gateway in any case.
  if (paid && isSilent && !voiding) club.diary.silentlyPaidPages += 1;
  if (club.paidOnPage.length > MAX_REMEMBERED) club.paidOnPage.shift();
  // A payer who does not see the payment clicks again, and pays once more if that is possible.
  const again = dice.chance(0.4) ? await openPageOf(club, invoice.id) : null;
  if (again && (await club.gateway.payOnPage(again.url, CARD))) club.diary.promise('paid_on_page', again.attempt);
};

/** Refunds a paid invoice in whole or in part. The treasurer or an administrator asks for it, and may click twice. */
const requestRefund: Story = async (club, dice) => {
  const paid = [...club.settled.flatMap(paidInvoicesOf), ...club.paidOnPage.map(onPage)];
  if (paid.length === 0) return;
  const { invoice, cents, remittance } = dice.oneOf(paid);
  const by = dice.oneOf([club.officer, club.officer, club.admin]);
  const part = dice.chance(0.7) ? { amount_cents: dice.between(1, Math.ceil(cents / 3)) } : {};
  await club.beforeRefunding(remittance);
  await Promise.all(Array.from({ length: dice.between(1, 2) }, () => refund(club, by, { invoice, ...part })));
};

interface PaidInvoice {
  invoice: string;
  cents: number;
  /** Null when the invoice was paid on a page. */
  remittance: string | null;
}

const paidInvoicesOf = ({ id, allocations }: Remittance): PaidInvoice[] =>
  allocations.map(({ invoice, amount_cents: cents }) => ({ invoice, cents, remittance: id }));

/**
 * Describes an invoice that was paid on a page. Its amount is not known here, so the lowest amount of any invoice is
 * assumed.
 */
const onPage = (invoice: string): PaidInvoice => ({ invoice, cents: 1_500, remittance: null });

/** Part of an earlier charge is refunded directly at the gateway, outside the platform. */
const refundElsewhere: Story = async (club, dice) => {
  if (club.settled.length === 0) return;
  const { id, processor_payment_id: intent, total_cents: total } = dice.oneOf(club.settled);
  if (intent) await club.gateway.refund(club.secretKey, intent, dice.between(1, Math.floor(total / 4)), `chaos:${id}`);
};

/** The gateway redelivers old events. */
const oldEvents: Story = async (club, dice) => {
  if (club.settled.length > 0) await club.gateway.repeatEvents(dice.oneOf(club.settled).id);
};

const STORIES: [weight: number, story: Story][] = [
  [30, payTheDues],
  [10, declinedCard],
  [16, cutConnection],
  [8, voidedDuringCharge],
  [4, wrongAmount],
  [10, walkAway],
  [6, doubleClick],
  [5, rivals],
  [16, hostedPage],
  [14, requestRefund],
  [3, refundElsewhere],
  [4, oldEvents],
  [16, give],
  [6, refundGift],
  [3, refundGiftElsewhere],
  [4, resolveGift],
  [14, pledge],
  [3, mailBulletin],
  [2, issueAnnualReceipts],
];

/** Chooses the next story by weight. */
export function nextStory(dice: Dice): Story {
  let remainingWeight = dice.roll() * STORIES.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, story] of STORIES) {
    remainingWeight -= weight;
    if (remainingWeight < 0) return story;
  }
  return payTheDues;
}

async function draft(club: Club, dice: Dice): Promise<Remittance | null> {
  return createDraft(club, await club.invoices.take(dice.between(2, 6)));
}

/** Resolves a flagged payment, and remembers a settled one for later stories. */
async function finish(club: Club, remittanceId: string, end: string): Promise<void> {
  if (end === 'flagged') return resolve(club, remittanceId);
  if (end !== 'settled') return;
  const settled = await look(club, remittanceId);
  if (settled) club.settled.push(settled);
  if (club.settled.length > MAX_REMEMBERED) club.settled.shift();
}
