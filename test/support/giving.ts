/** Gifts for tests: their bodies, requests and rows. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../models/database/tenancy.js';
import { executeEvent } from '../../models/finances/webhooks/applyEvent.js';
import { giveDonation } from '../../models/foundation/donations/giveDonation.js';
import { type OfflineGift, recordOfflineGift } from '../../models/foundation/donations/recordOfflineGift.js';
import { Client } from './api.js';
import type { Foundation } from './foundation.js';
import { asOwner } from './owner.js';
import type { World } from './world.js';

/** The body of a gift of 50.00 by a new donor. */
const aGift = (more: Record<string, unknown> = {}) => ({
  amount_cents: 5_000,
  email: `donor-${process.hrtime.bigint()}@example.org`,
  first_name: 'Ada',
  last_name: 'Lovelace',
  ...more,
});

export const campaignPath = ({ foundationId, slug }: Pick<Foundation, 'foundationId' | 'slug'>): string =>
  `/api/foundation/public/campaigns/${foundationId}/${slug}/`;

/** Gives to the foundation's campaign, without an account. */
export const give = (
  url: string,
  foundation: Pick<Foundation, 'foundationId' | 'slug'>,
  more: Record<string, unknown> = {},
) => new Client(url).post(`${campaignPath(foundation)}donate/`, aGift(more));

/** A gift whose page was requested, without a request to the API. @returns its id */
export function aWaitingGift(
  { organizationId }: Pick<World, 'organizationId'>,
  { slug }: Pick<Foundation, 'slug'>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const gift = { ...aGift(), is_recurring: false, covers_fees: false, ...more };
  const spent = { statement: { text: 'SELECT 1', values: [] }, requireBudget: () => undefined };
  const pageUrl = 'https://example.org/';
  const context = { slug, visibility: 'public', network: randomUUID(), pageUrl, spendOnEmail: () => spent } as const;
  return inTenant(organizationId, () => giveDonation(gift, context));
}

/** A gift that an event of its provider has completed; the provider itself does not know it. @returns its id */
export async function aPaidGift(
  world: Pick<World, 'organizationId'>,
  foundation: Foundation,
  more: Record<string, unknown> = {},
): Promise<string> {
  const donationId = await aWaitingGift(world, foundation, more);
  const { amount_cents: amountCents } = aGift(more);
  const reference = { donation_id: donationId, processor_id: foundation.processorId };
  const charge = { eventId: '', type: 'payment_intent.succeeded', intentId: `pi_${randomUUID()}`, amountCents };
  const payload = { ...charge, currency: 'usd', reference, failureCode: null };
  await inTenant(world.organizationId, () => executeEvent({ processor_id: foundation.processorId, payload }, null));
  return donationId;
}

/** A gift of 100.00 by check that a person of the foundation has recorded. @returns its id */
export function anOfflineGift(
  { organizationId }: Pick<World, 'organizationId'>,
  { fundId }: Pick<Foundation, 'fundId'>,
  more: Partial<OfflineGift> = {},
): Promise<string> {
  const { email, first_name, last_name } = aGift();
  const gift = {
    email,
    first_name,
    last_name,
    amount_cents: 10_000,
    received_on: '2026-03-04',
    method: 'check',
  } as const;
  const rest = { fund: fundId, send_receipt: true, is_anonymous: true, idempotency_key: randomUUID() };
  return inTenant(organizationId, () => recordOfflineGift({ ...gift, ...rest, ...more }));
}

/** The row of a gift, with its totals and entries. Amounts in cents. */
export async function giftOf(donationId: string) {
  const [gift] = await asOwner<Record<string, unknown>>(
    `SELECT d.status, d.amount_cents::int, d.fee_cents::int, d.refunded_cents::int, d.under_review, d.failure_code, d.tax_year,
            d.charged_at, d.network_digest IS NOT NULL AS keeps_network, o.total_cents::int AS donor_cents, o.gift_count,
            c.raised_cents::int, f.total_cents::int AS fund_cents,
            (SELECT coalesce(json_agg(json_build_array(e.kind, e.amount_cents) ORDER BY e.id), '[]') FROM donation_entries e
              WHERE e.donation_id = d.id) AS entries
       FROM donations d JOIN donors o ON o.id = d.donor_id JOIN campaigns c ON c.id = d.campaign_id JOIN funds f ON f.id = d.fund_id
      WHERE d.id = $1`,
    [donationId],
  );
  return gift as Record<string, unknown>;
}

/** Pays on a page of Stripe's stand-in. @returns the address to which the provider sends the donor */
export async function payGift(checkoutUrl: string, card = 'pm_card_visa'): Promise<string | null> {
  const body = new URLSearchParams({ payment_method: card });
  return (await fetch(checkoutUrl, { method: 'POST', redirect: 'manual', body })).headers.get('location');
}

/** The process id of a gift's page. */
export async function pageProcessOf(donationId: string): Promise<string> {
  const [attempt] = await asOwner<{ id: string }>('SELECT id FROM payment_attempts WHERE donation_id = $1', [
    donationId,
  ]);
  return `donation-page/${attempt?.id}`;
}
