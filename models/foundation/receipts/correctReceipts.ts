import { randomBytes } from 'node:crypto';
import { donationReceipt } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { changeRow, computed, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import type { DonationStatus } from '../donations/Donation.js';
import { fillPlaceholders } from './receiptTexts.js';
import { type PrintedReceipt, printedReceipt, TaxReceipt } from './TaxReceipt.js';
import type { ReceiptOverrides } from '../config/receiptOverrides.js';

/** A gift, and what its receipt prints of the campaign and the foundation. */
interface Gift {
  donor_id: string;
  status: DonationStatus;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  tax_year: number;
  donor_name: string;
  campaign: string;
  goods_description: string | null;
  goods_value_cents: number | null;
  legal_name: string | null;
  ein: string | null;
  mailing_address: string | null;
  overrides: ReceiptOverrides;
  /** Days in the foundation's time zone. */
  given_on: string;
  issued_on: string;
}

interface LastReceipt {
  id: string;
  number: string;
  status: 'valid' | 'void';
  amount_cents: number;
  printed: PrintedReceipt;
}

/** 128 bits, so that a code cannot be guessed. */
const CODE_BYTES = 16;

/**
 * Updates the receipts of a gift after entries were inserted: issues a receipt, replaces it, or voids it, in the open
 * transaction. Locks the gift and, when a receipt gets its number, the counter of the year.
 * @throws RowMissing
 */
export async function correctReceipts(donationId: string): Promise<void> {
  const gift = await lockGift(donationId);
  const last = await readLastReceipt(donationId);
  const remainingCents = gift.status === 'completed' ? gift.amount_cents - gift.refunded_cents : 0;
  if (last?.status === 'valid') {
    if (last.amount_cents === remainingCents) return;
    await endReceipt(last, remainingCents === 0 ? 'void' : 'superseded');
  }
  if (remainingCents > 0) await issueReceipt(donationId, gift, last);
}

async function lockGift(donationId: string): Promise<Gift> {
  const gift = await firstRow<Gift>(
    `SELECT d.donor_id, d.status, d.amount_cents, d.refunded_cents, d.currency, d.tax_year,
            d.first_name || ' ' || d.last_name AS donor_name, c.title AS campaign, c.goods_description,
            c.goods_value_cents, f.legal_name, f.ein, f.mailing_address, f.receipt_template_overrides AS overrides,
            app.local_day_of(f.timezone, d.charged_at) AS given_on, app.local_day_of(f.timezone, now()) AS issued_on
       FROM donations d
       JOIN campaigns c ON c.organization_id = d.organization_id AND c.id = d.campaign_id
       JOIN foundation_configs f ON f.organization_id = d.organization_id
      WHERE d.organization_id = $1 AND d.id = $2 FOR UPDATE OF d`,
    [currentOrganization(), donationId],
  );
  if (!gift) throw new RowMissing('There is no such gift.');
  return gift;
}

/** Returns the latest receipt of a gift: the one that no other receipt replaces. */
const readLastReceipt = (donationId: string): Promise<LastReceipt | null> =>
  firstRow<LastReceipt>(
    `SELECT r.id, r.number, r.status, r.amount_cents, r.printed FROM tax_receipts r
      WHERE r.organization_id = $1 AND r.donation_id = $2
        AND NOT EXISTS (SELECT FROM tax_receipts s WHERE s.organization_id = $1 AND s.replaces = r.id)`,
    [currentOrganization(), donationId],
  );

/** Makes a receipt void or superseded. If its mail still waits, the mail is not sent. */
async function endReceipt({ id, number }: LastReceipt, status: 'superseded' | 'void'): Promise<void> {
  const mail_status = computed(`CASE mail_status WHEN 'waiting' THEN 'replaced' ELSE mail_status END`);
  await changeRow(TaxReceipt, id, { status, ended_at: now, mail_status });
  await audit({
    action: `tax_receipt.${status === 'void' ? 'voided' : 'superseded'}`,
    subjectType: 'tax_receipt',
    subjectId: id,
    after: { number },
  });
}

async function issueReceipt(donationId: string, gift: Gift, last: LastReceipt | null): Promise<void> {
  const { id, number } = await oneRow<{ id: string; number: string }>(
    `WITH counter AS (
       INSERT INTO receipt_counters AS c (organization_id, tax_year, last_number) VALUES ($1, $4, 1)
       ON CONFLICT ON CONSTRAINT receipt_counters_one_per_year DO UPDATE SET last_number = c.last_number + 1
       RETURNING last_number)
     INSERT INTO tax_receipts (organization_id, donor_id, donation_id, tax_year, sequence, amount_cents, currency, replaces,
                               code, printed)
     SELECT $1, $2, $3, $4, last_number, $5, $6, $7, $8, $9 FROM counter RETURNING id, number`,
    [
      currentOrganization(),
      gift.donor_id,
      donationId,
      gift.tax_year,
      gift.amount_cents - gift.refunded_cents,
      gift.currency,
      last?.id ?? null,
      randomBytes(CODE_BYTES).toString('base64url'),
      JSON.stringify(printedOf(gift, last)),
    ],
  );
  await audit({
    action: 'tax_receipt.issued',
    subjectType: 'tax_receipt',
    subjectId: id,
    after: { number, replaces: last?.number ?? null },
  });
  await enqueue(donationReceipt, { receiptId: id });
}

/**
 * Collects what the receipt prints. A receipt that replaces another repeats the day, the campaign and the goods of the
 * first one, even if the campaign or the time zone has changed since.
 */
function printedOf(gift: Gift, last: LastReceipt | null): PrintedReceipt {
  const { legal_name, ein, mailing_address, overrides } = gift;
  // This cannot happen: gifts come to published campaigns only, and once a campaign is published these settings cannot
  // be removed.
  if (legal_name === null || ein === null || mailing_address === null)
    throw new Error('The foundation lacks facts that every receipt prints.');
  const goods =
    gift.goods_description === null || gift.goods_value_cents === null
      ? null
      : { description: gift.goods_description, value_cents: gift.goods_value_cents };
  const { given_on, campaign } = last?.printed ?? gift;
  const { amount_cents: charged_cents, refunded_cents: returned_cents, currency, donor_name } = gift;
  const fill = (template: string | undefined) =>
    template === undefined
      ? null
      : fillPlaceholders(template, { donor_name, campaign, given_on, cents: charged_cents - returned_cents, currency });
  return printedReceipt.parse({
    legal_name,
    ein,
    mailing_address,
    donor_name,
    campaign,
    given_on,
    issued_on: gift.issued_on,
    charged_cents,
    returned_cents,
    goods: last ? last.printed.goods : goods,
    intro: fill(overrides.intro),
    thanks: fill(overrides.thanks),
    replaces_number: last?.number ?? null,
  });
}
