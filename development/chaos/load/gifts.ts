/** The actions of donors and of the admins of foundations during a run. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dice } from '../dice.js';
import type { Club } from './club.js';

type GiftStory = (club: Club, dice: Dice) => Promise<void>;

const CARD = 'pm_card_visa';
const DECLINED = 'pm_card_chargeDeclined';
/** Faults that the gateway may inject while it opens a page. */
const OPENING_FAULTS = ['drop_before_capture', 'drop_after_capture', 'error_before_capture', 'error_after_capture'];
const MAX_REMEMBERED = 40;
/** Number of times that a donor clicks to get a page before giving up. */
const MAX_CLICKS = 10;

const Given = z.object({ donation_id: z.string(), checkout_url: z.string().nullable() });
const Refunded = z.object({ refund: z.object({ id: z.string(), status: z.string() }) });
const Unmatched = z.object({ results: z.array(z.object({ id: z.string(), donation: z.string().nullable() })) });

/**
 * Clicks 'give' until a page is open. All clicks for a gift send the same idempotency key.
 * @returns null when no page was opened
 */
export async function openGift(club: Club, gift: object): Promise<{ donation: string; url: string } | null> {
  const { id, campaign_slug: slug } = club.foundation;
  const path = `/api/foundation/public/campaigns/${id}/${slug}/donate/`;
  for (let clicks = 0; clicks < MAX_CLICKS && !club.dayIsOver(); clicks += 1) {
    const answer = await club.donor.ask('give', 'POST', path, gift);
    if (answer.status === 201) {
      const { donation_id: donation, checkout_url: url } = Given.parse(answer.body);
      return url === null ? null : { donation, url };
    }
    if (answer.status !== 0 && answer.status !== 503) return null;
    await club.donor.pauseAfter(answer);
  }
  return null;
}

/**
 * A donor gives on the gateway's page. Opening the page may fail, the donor may click twice, the card may be declined,
 * the gateway may capture a different amount, and the event may be withheld.
 */
export const give: GiftStory = async (club, dice) => {
  const gift = {
    amount_cents: dice.between(500, 20_000),
    email: `donor-${dice.between(1, 60)}@example.org`,
    first_name: 'Ada',
    last_name: 'Donor',
    idempotency_key: randomUUID(),
  };
  if (dice.chance(0.3)) await club.gateway.injectFault({ kind: dice.oneOf(OPENING_FAULTS), operation: 'checkout' });
  const clicks = await Promise.all(Array.from({ length: dice.between(1, 2) }, () => openGift(club, gift)));
  const [page] = clicks.filter((one) => one !== null);
  if (!page) return;
  const { donation } = page;
  for (const one of clicks) if (one) club.diary.promise('gift_opened', one.donation);
  if (dice.chance(0.1)) return;
  const isSilent = dice.chance(0.5);
  if (isSilent) await club.gateway.withholdEvents({ donation_id: donation });
  const isOtherAmount = dice.chance(0.1);
  if (isOtherAmount) {
    const cents = gift.amount_cents - dice.between(1, 400);
    const fault = { kind: 'capture_amount', amount_cents: cents, operation: 'checkout_pay', donation_id: donation };
    await club.gateway.injectFault(fault);
  }
  if (!(await club.gateway.payOnPage(page.url, dice.chance(0.05) ? DECLINED : CARD))) return;
  club.diary.promise('gift_paid', donation);
  // Act like the page to which the provider leads back: it reads the state of the gift, which makes the platform ask
  // the provider.
  await lookAtGift(club, donation);
  if (!isOtherAmount) club.gifts.push(donation);
  if (club.gifts.length > MAX_REMEMBERED) club.gifts.shift();
};

/** Reads the state of a gift, with retries. */
export const lookAtGift = (club: Club, donation: string) =>
  club.donor.insist('look at gift', 'GET', `/api/foundation/public/donations/${donation}/`);

/** An admin refunds a gift, and may click twice. */
export const refundGift: GiftStory = async (club, dice) => {
  if (club.gifts.length === 0) return;
  const donation = dice.oneOf(club.gifts);
  if (dice.chance(0.3)) {
    const kind = dice.oneOf(['drop_before_capture', 'drop_after_capture', 'hang', 'error_after_capture']);
    await club.gateway.injectFault({ kind, operation: 'refund', donation_id: donation });
  }
  const path = `/api/foundation/donations/${donation}/refund/`;
  const click = async () => {
    const reason = 'The donor asked for it.';
    const { status, body } = await club.foundationAdmin.insist('refund gift', 'POST', path, { reason });
    if (status !== 201) return;
    const { refund } = Refunded.parse(body);
    club.diary.promise('gift_refund_reserved', refund.id);
    if (refund.status === 'succeeded') club.diary.promise('gift_refunded', refund.id);
  };
  await Promise.all(Array.from({ length: dice.between(1, 2) }, click));
};

/** Part of a gift is refunded directly at the gateway, outside the platform. */
export const refundGiftElsewhere: GiftStory = async (club, dice) => {
  if (club.gifts.length === 0) return;
  const donation = dice.oneOf(club.gifts);
  const moved = await club.gateway.ledger({ donation_id: donation }).catch(() => []);
  const charge = moved.find(({ kind }) => kind === 'capture');
  if (charge) await club.gateway.refund(club.giftKey, charge.payment_intent, dice.between(1, 100), `chaos:${donation}`);
};

/** An admin decides about a payment whose amount differs from that of its gift: the admin accepts or refunds it. */
export const resolveGift: GiftStory = async (club, dice) => {
  const path = '/api/foundation/unmatched-payments/';
  const { status, body } = await club.foundationAdmin.insist('list', 'GET', `${path}?resolved=false`);
  const [payment] = status === 200 ? Unmatched.parse(body).results : [];
  if (!payment) return;
  const decision = { resolution: dice.oneOf(['accept', 'refund']), note: 'Agreed with the donor.' };
  await club.foundationAdmin.insist('resolve gift', 'POST', `${path}${payment.id}/resolve/`, decision);
};
