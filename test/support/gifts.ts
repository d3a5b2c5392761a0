/** Gifts whose money has come, without the pages and events that bring it. All rows are real. */
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { correctReceipts } from '../../models/foundation/receipts/correctReceipts.js';
import type { Foundation } from './foundation.js';
import { asOwner } from './owner.js';

export interface Gift {
  organizationId: string;
  donorId: string;
  donationId: string;
  captureId: string;
  email: string;
}

interface GiftDetails {
  cents?: number;
  email?: string;
  firstName?: string;
  lastName?: string;
  /** When the provider charged it. */
  at?: string;
}

const insert = async (table: string, row: Record<string, unknown>, more = ''): Promise<string> => {
  const columns = Object.keys(row);
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')}) ${more} RETURNING id`,
    Object.values(row),
  );
  return (made as { id: string }).id;
};

/** A gift that is charged, without the entry that completes it. */
export async function aChargedGift(
  organizationId: string,
  { processorId, campaignId, fundId }: Foundation,
  { cents = 5_000, email = `donor-${uuidv7()}@example.org`, firstName = 'Dana', lastName = 'Reyes' }: GiftDetails = {},
): Promise<Gift> {
  const tenant = { organization_id: organizationId };
  const names = { first_name: firstName, last_name: lastName };
  const donorId = await insert(
    'donors',
    { ...tenant, email, ...names },
    'ON CONFLICT ON CONSTRAINT donors_email_unique DO UPDATE SET updated_at = now()',
  );
  const donationId = await insert('donations', {
    ...tenant,
    ...names,
    donor_id: donorId,
    campaign_id: campaignId,
    fund_id: fundId,
    amount_cents: cents,
    fee_cents: 30,
    currency: 'usd',
    request_hash: 'x'.repeat(43),
  });
  const captureId = await insert('processor_captures', {
    ...tenant,
    processor_id: processorId,
    donation_id: donationId,
    intent_id: `pi_${donationId}`,
    amount_cents: cents,
    disposition: 'recorded',
  });
  return { organizationId, donorId, donationId, captureId, email };
}

/** Records that money came, went or came back, and corrects the receipts. */
export async function move(
  gift: Gift,
  kind: 'received' | 'returned' | 'reinstated',
  cents: number,
  at = new Date().toISOString(),
): Promise<void> {
  const { organizationId, donationId, captureId } = gift;
  await insert('donation_entries', {
    organization_id: organizationId,
    donation_id: donationId,
    capture_id: captureId,
    kind,
    amount_cents: cents,
    moved_at: at,
  });
  await asOwner('UPDATE processor_captures SET refunded_cents = refunded_cents + $2 WHERE id = $1', [
    captureId,
    { received: 0, returned: cents, reinstated: -cents }[kind],
  ]);
  await inTenant(organizationId, () => correctReceipts(donationId));
}

/** A completed gift with its receipt. */
export async function aGift(organizationId: string, foundation: Foundation, details: GiftDetails = {}): Promise<Gift> {
  const gift = await aChargedGift(organizationId, foundation, details);
  await move(gift, 'received', details.cents ?? 5_000, details.at);
  return gift;
}

export interface ReceiptRow {
  id: string;
  number: string;
  status: string;
  amount_cents: number;
  replaces: string | null;
  code: string;
  printed: Record<string, unknown>;
  mail_status: string;
  mail_count: number;
}

/** The receipts of a gift, oldest first. */
export const receiptsOf = ({ donationId }: Pick<Gift, 'donationId'>): Promise<ReceiptRow[]> =>
  asOwner<ReceiptRow & Record<string, unknown>>(
    `SELECT id, number, status, amount_cents::int, replaces, code, printed, mail_status, mail_count FROM tax_receipts
      WHERE donation_id = $1 ORDER BY sequence`,
    [donationId],
  );

/** A tax year that is over. */
export const LAST_YEAR = new Date().getUTCFullYear() - 1;

/** A moment of last year, in the same year in every time zone. */
export const lastYear = (day = '03-04'): string => `${LAST_YEAR}-${day}T12:00:00Z`;

/** The annual receipts of a donor, oldest first. */
export const annualReceiptsOf = ({ donorId }: Pick<Gift, 'donorId'>): Promise<ReceiptRow[]> =>
  asOwner<ReceiptRow & Record<string, unknown>>(
    `SELECT id, number, status, amount_cents::int, replaces, code, printed, mail_status, mail_count FROM tax_receipts
      WHERE donor_id = $1 AND donation_id IS NULL ORDER BY sequence`,
    [donorId],
  );
