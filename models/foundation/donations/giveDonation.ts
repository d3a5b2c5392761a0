/** Accepts a gift: checks it, records it, and requests its payment page. */
import { createHash } from 'node:crypto';
import { config } from '../../../config.js';
import { currentOrganization, firstRow, oneRow, type ThrottleHit } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { refuse, requireFound } from '../../errors.js';
import { openDonationPage } from '../../finances/attempts/openDonationPage.js';
import type { RecurringInterval } from '../pledges/vocabulary.js';
import { foundationErrors } from '../errors.js';
import { type AmountTerms, requireAmount } from './requireAmount.js';
import { canRecur, IS_OPEN, PUBLISHED_CAMPAIGN, type Visibility } from './campaignTerms.js';
import { DONOR_ID, DONOR_OF_GIFT, userOfEmail } from './donorOfGift.js';
import { emailDigestOf, hasTooManyDeclines, networkDigestOf } from './declines.js';
import { coveringAmountCents } from './fees.js';

/** The data that a donor sends to make a gift. Amounts in cents. */
export interface GiftRequest {
  amount_cents: number;
  is_recurring: boolean;
  recurring_interval?: RecurringInterval | null | undefined;
  email: string;
  first_name: string;
  last_name: string;
  phone?: string | null | undefined;
  address?: string | null | undefined;
  /** Absent: the donor's preference decides. */
  is_anonymous?: boolean | undefined;
  covers_fees: boolean;
  base_amount_cents?: number | null | undefined;
  idempotency_key?: string | null | undefined;
}

/** The campaign that a gift is for, and the page and network from which it comes. */
interface GiftContext {
  slug: string;
  visibility: Visibility;
  /** The donor's network, in the form that throttles count. */
  network: string;
  /** Address of the campaign's page, to which a donor returns who does not complete the payment. */
  pageUrl: string;
  /** Returns a throttle hit that counts an accepted gift for this e-mail address. */
  spendOnEmail: (emailDigest: string) => ThrottleHit;
}

/** A gift that an earlier request with the same idempotency key has recorded. */
export interface KnownGift {
  id: string;
  request_hash: string;
}

interface Terms extends AmountTerms {
  campaign_id: string;
  fund_id: string;
  title: string;
  foundation_name: string;
  currency: string;
  processor_id: string;
  fee_pass_through: boolean;
  is_open: boolean;
  has_too_many_declines: boolean;
  /** The gift of an earlier request with the same key. */
  known: KnownGift | null;
  /** The account of a person in the organization who has verified this e-mail address. */
  user_id: string | null;
}

const TERMS = `
  SELECT c.id AS campaign_id, c.fund_id, c.title, f.name AS foundation_name, f.currency, f.min_amount_cents, f.max_amount_cents,
         p.id AS processor_id, p.provider, coalesce(x.fee_pass_through, false) AS fee_pass_through, ${IS_OPEN} AS is_open,
         ${hasTooManyDeclines('$4', '$5')} AS has_too_many_declines, ${userOfEmail('$3')} AS user_id,
         (SELECT json_build_object('id', d.id, 'request_hash', d.request_hash) FROM donations d
           WHERE d.organization_id = c.organization_id AND d.campaign_id = c.id AND d.idempotency_key = $6) AS known
    ${PUBLISHED_CAMPAIGN}`;

/**
 * Records a gift and requests its page, once per idempotency key.
 * @returns the id of the gift
 * @throws Refusal not_found, campaign_not_open, validation_error, fee_cover_mismatch, fee_pass_through_off,
 *   recurring_not_supported, too_many_failed_payments, throttled, idempotency_mismatch
 */
export async function giveDonation(gift: GiftRequest, context: GiftContext): Promise<string> {
  const [network, emailDigest] = [networkDigestOf(context.network), emailDigestOf(gift.email)];
  const values = [context.slug, context.visibility, gift.email, network, emailDigest, gift.idempotency_key ?? null];
  const terms = requireFound(await firstRow<Terms>(TERMS, values));
  const requestHash = hashOf(gift);
  // A repeated request gets the gift that the first request made, even if the campaign has closed since.
  if (terms.known) return requireSameRequest(terms.known, requestHash);
  if (!terms.is_open) throw foundationErrors.campaign_not_open();
  if (gift.is_recurring && !canRecur(terms.provider)) throw foundationErrors.recurring_not_supported();
  const feeCents = requireFee(gift, terms);
  if (terms.has_too_many_declines) throw foundationErrors.too_many_failed_payments();
  const donationId = await insertDonation(gift, terms, { feeCents, network, requestHash });
  if (donationId === null) {
    const { known } = requireFound(await firstRow<Terms>(TERMS, values));
    return requireSameRequest(requireFound(known), requestHash);
  }
  await openDonationPage({
    donationId,
    processorId: terms.processor_id,
    amountCents: gift.amount_cents,
    currency: terms.currency,
    description: `${terms.foundation_name}: ${terms.title}`,
    keepsCard: gift.is_recurring,
    doneUrl: `${config.givingUrl}/donation-success/?donation_id=${donationId}`,
    cancelUrl: context.pageUrl,
  });
  const { statement, requireBudget } = context.spendOnEmail(emailDigest);
  requireBudget(await oneRow(statement.text, statement.values));
  return donationId;
}

/**
 * Checks the amount of a gift. @returns its fee in cents
 * @throws Refusal validation_error, fee_cover_mismatch, fee_pass_through_off
 */
function requireFee(gift: GiftRequest, terms: Terms): number {
  const { amount_cents: amountCents, base_amount_cents: baseCents } = gift;
  const feeCents = requireAmount(amountCents, terms);
  if (!gift.covers_fees || !baseCents) return feeCents;
  if (!terms.fee_pass_through)
    throw foundationErrors.fee_pass_through_off(undefined, {
      covers_fees: ['This foundation does not let donors cover the fee. Leave this out.'],
    });
  const rightCents = coveringAmountCents(baseCents);
  if (amountCents !== rightCents)
    throw foundationErrors.fee_cover_mismatch(undefined, {
      amount_cents: [`Must be ${rightCents}, so that ${baseCents} remains after the fee.`],
    });
  return feeCents;
}

/** Returns a digest of everything that a donor sent, for comparing a repeated request. */
export const hashOf = ({ idempotency_key: _key, ...gift }: Pick<GiftRequest, 'email' | 'idempotency_key'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        Object.entries(gift)
          .filter(([, value]) => value != null)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .digest('base64url');

/**
 * Inserts the gift, and its donor unless the address is known; a known donor keeps the stored name and contact. Two
 * requests wait for each other only if both bring the first gift of the same address.
 * @returns null when the idempotency key is known
 */
async function insertDonation(
  gift: GiftRequest,
  terms: Terms,
  { feeCents, network, requestHash }: { feeCents: number; network: string; requestHash: string },
): Promise<string | null> {
  const inserted = await firstRow<{ id: string }>(
    `WITH ${DONOR_OF_GIFT}
     INSERT INTO donations (id, organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency, base_amount_cents,
         first_name, last_name, is_anonymous, idempotency_key, request_hash, network_digest, recurring_interval)
     SELECT $9, $1, ${DONOR_ID}, $10, $11, $12, $13, $14, $15, $4, $5,
            coalesce($16, (SELECT is_anonymous FROM known), false), $17, $18, $19, $20
     ON CONFLICT ON CONSTRAINT donations_key_unique DO NOTHING RETURNING id`,
    [
      currentOrganization(),
      gift.email,
      uuidv7(),
      gift.first_name,
      gift.last_name,
      gift.phone ?? null,
      gift.address ?? null,
      terms.user_id,
      uuidv7(),
      terms.campaign_id,
      terms.fund_id,
      gift.amount_cents,
      feeCents,
      terms.currency,
      gift.covers_fees ? (gift.base_amount_cents ?? null) : null,
      gift.is_anonymous ?? null,
      gift.idempotency_key ?? null,
      requestHash,
      network,
      gift.is_recurring ? (gift.recurring_interval ?? null) : null,
    ],
  );
  return inserted?.id ?? null;
}

/** Returns the gift of a repeated request. @throws Refusal idempotency_mismatch */
export function requireSameRequest({ id, request_hash }: KnownGift, requestHash: string): string {
  if (request_hash !== requestHash) throw refuse.idempotency_mismatch();
  return id;
}
