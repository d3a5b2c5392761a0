/** Records gifts that the foundation receives without its payment provider: cash, checks, bank transfers. */
import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { type FieldErrors, invalid, requireFound } from '../../errors.js';
import { foundationErrors } from '../errors.js';
import { correctReceipts } from '../receipts/correctReceipts.js';
import type { OFFLINE_METHODS } from './Donation.js';
import { DONOR_ID, DONOR_OF_GIFT, userOfEmail } from './donorOfGift.js';
import { hashOf, type KnownGift, requireSameRequest } from './giveDonation.js';

/** A gift as a person of the foundation enters it. */
export interface OfflineGift {
  email: string;
  first_name: string;
  last_name: string;
  amount_cents: number;
  /** The day on which the foundation received the gift, in its time zone. */
  received_on: string;
  method: (typeof OFFLINE_METHODS)[number];
  fund: string;
  campaign?: string | null | undefined;
  /** Whether the receipt is mailed to the donor. */
  send_receipt: boolean;
  is_anonymous: boolean;
  idempotency_key: string;
}

interface Terms {
  currency: string;
  /** Today in the time zone of the foundation. */
  today: string;
  legal_name: string | null;
  ein: string | null;
  mailing_address: string | null;
  /** Null: there is no such fund. */
  fund_is_active: boolean | null;
  campaign_status: string | null;
  user_id: string | null;
}

/** Locks the settings against a change of the currency, and against the removal of what receipts print. */
const TERMS = `
  SELECT f.currency, app.local_day(f.timezone) AS today, f.legal_name, f.ein, f.mailing_address,
         (SELECT x.is_active FROM funds x WHERE x.organization_id = f.organization_id AND x.id = $2) AS fund_is_active,
         (SELECT c.status FROM campaigns c WHERE c.organization_id = f.organization_id AND c.id = $3) AS campaign_status,
         ${userOfEmail('$4')} AS user_id
    FROM foundation_configs f WHERE f.organization_id = $1 FOR SHARE OF f`;

const KNOWN_GIFT = `SELECT id, request_hash FROM donations
   WHERE organization_id = $1 AND idempotency_key = $2 AND method <> 'card'`;

/**
 * Records a gift that was received without the payment provider, once per idempotency key. It is completed at once, has
 * no fee, and counts in the year of the day on which it was received. Its receipt is issued; a donor-advised fund gets
 * none, because its sponsor has receipted the donor.
 * @returns the id of the gift
 * @throws Refusal foundation_not_configured, foundation_incomplete, validation_error, idempotency_mismatch
 */
export async function recordOfflineGift(gift: OfflineGift): Promise<string> {
  const requestHash = hashOf(gift);
  const known = await findKnownGift(gift.idempotency_key);
  if (known) return requireSameRequest(known, requestHash);
  const terms = await readTerms(gift);
  requirePossible(gift, terms);
  const donationId = await insertGift(gift, terms, requestHash);
  // A concurrent request with the same key was faster.
  if (donationId === null)
    return requireSameRequest(requireFound(await findKnownGift(gift.idempotency_key)), requestHash);
  await audit({
    action: 'donation.recorded',
    subjectType: 'donation',
    subjectId: donationId,
    after: { method: gift.method, amount_cents: gift.amount_cents, received_on: gift.received_on },
  });
  await addOfflineEntry(donationId, 'received', gift.amount_cents);
  await correctReceipts(donationId, { isMailed: gift.send_receipt });
  return donationId;
}

const findKnownGift = (key: string): Promise<KnownGift | null> =>
  firstRow<KnownGift & Record<string, unknown>>(KNOWN_GIFT, [currentOrganization(), key]);

async function readTerms({ fund, campaign, email }: OfflineGift): Promise<Terms> {
  const terms = await firstRow<Terms & Record<string, unknown>>(TERMS, [
    currentOrganization(),
    fund,
    campaign ?? null,
    email,
  ]);
  if (!terms) throw foundationErrors.foundation_not_configured();
  return terms;
}

/** @throws Refusal validation_error, foundation_incomplete */
function requirePossible(gift: OfflineGift, terms: Terms): void {
  if (gift.received_on > terms.today) throw invalid('received_on', 'Must not be in the future.');
  if (terms.fund_is_active === null) throw invalid('fund', 'There is no such fund.');
  if (!terms.fund_is_active) throw invalid('fund', 'This fund is not active.');
  if (gift.campaign && terms.campaign_status === null) throw invalid('campaign', 'There is no such campaign.');
  if (terms.campaign_status === 'draft') throw invalid('campaign', 'This campaign is a draft. Publish it first.');
  if (gift.method === 'donor_advised_fund') return;
  const { legal_name, ein, mailing_address } = terms;
  const missing = Object.entries({ legal_name, ein, mailing_address }).filter(([, value]) => value === null);
  const errors: FieldErrors = Object.fromEntries(missing.map(([field]) => [field, ['Is missing.']]));
  if (missing.length > 0)
    throw foundationErrors.foundation_incomplete(
      'A receipt needs the legal name, the EIN and the mailing address of the foundation.',
      errors,
    );
}

/** Inserts the gift, and its donor unless the address is known. @returns null when the idempotency key is known */
async function insertGift(gift: OfflineGift, terms: Terms, requestHash: string): Promise<string | null> {
  const inserted = await firstRow<{ id: string }>(
    `WITH ${DONOR_OF_GIFT}
     INSERT INTO donations (id, organization_id, donor_id, campaign_id, fund_id, method, received_on, amount_cents, fee_cents, currency,
         first_name, last_name, is_anonymous, idempotency_key, request_hash)
     SELECT $9, $1, ${DONOR_ID}, $10, $11, $12, $13, $14, 0, $15, $4, $5, $16, $17, $18
     ON CONFLICT (organization_id, idempotency_key) WHERE method <> 'card' DO NOTHING RETURNING id`,
    [
      currentOrganization(),
      gift.email,
      uuidv7(),
      gift.first_name,
      gift.last_name,
      null,
      null,
      terms.user_id,
      uuidv7(),
      gift.campaign ?? null,
      gift.fund,
      gift.method,
      gift.received_on,
      gift.amount_cents,
      terms.currency,
      gift.is_anonymous,
      gift.idempotency_key,
      requestHash,
    ],
  );
  return inserted?.id ?? null;
}

const ACTIONS = { received: 'donation.completed', returned: 'donation.returned' } as const;

/**
 * Inserts an entry of an offline gift; a trigger computes the totals of the gift from it. The received entry has the
 * time at which the day of the gift began.
 * @returns the id of the entry
 */
async function addOfflineEntry(
  donationId: string,
  kind: keyof typeof ACTIONS,
  amountCents: number,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO donation_entries (organization_id, donation_id, kind, amount_cents, moved_at)
     SELECT d.organization_id, d.id, $3, $4, CASE $3 WHEN 'received' THEN app.day_begins(f.timezone, d.received_on) ELSE now() END
       FROM donations d JOIN foundation_configs f ON f.organization_id = d.organization_id
      WHERE d.organization_id = $1 AND d.id = $2 RETURNING id`,
    [currentOrganization(), donationId, kind, amountCents],
  );
  await audit({
    action: ACTIONS[kind],
    subjectType: 'donation',
    subjectId: donationId,
    after: { amount_cents: amountCents, ...more },
  });
  return id;
}

/**
 * Records that the foundation has returned all of an offline gift, and voids its receipt. The caller has locked the gift
 * and checked that it is not returned yet.
 * @returns the id of the entry
 */
export async function returnOfflineGift(
  { id, amount_cents, refunded_cents }: { id: string; amount_cents: number; refunded_cents: number },
  reason: string,
): Promise<string> {
  const entryId = await addOfflineEntry(id, 'returned', amount_cents - refunded_cents, { reason });
  await correctReceipts(id);
  return entryId;
}
