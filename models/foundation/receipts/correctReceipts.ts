import { donationReceipt } from '../../../workflows/contracts/index.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import type { DonationMethod, DonationStatus } from '../donations/Donation.js';
import { correctAnnualReceipt } from './correctAnnualReceipts.js';
import { endReceipt, insertReceipt } from './insertReceipt.js';
import { RECEIPT_NAME } from './receiptName.js';
import { fillPlaceholders } from './receiptTexts.js';
import { type PrintedReceipt, printedReceipt, type ReceiptMailStatus } from './TaxReceipt.js';
import type { ReceiptOverrides } from '../config/receiptOverrides.js';

/** A gift, and what its receipt prints of the campaign and the foundation. */
interface Gift {
  donor_id: string;
  status: DonationStatus;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** Null until the gift is charged. */
  tax_year: number | null;
  method: DonationMethod;
  /** The name on the receipt; see RECEIPT_NAME. */
  donor_name: string;
  is_erased: boolean;
  campaign: string | null;
  fund: string | null;
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
  mail_status: ReceiptMailStatus;
  printed: PrintedReceipt;
}

/**
 * Updates the receipts of a gift after entries were inserted or the donor's name was corrected: issues a receipt,
 * replaces it, or voids it, in the open transaction, and does the same with the annual receipt that lists the gift. Locks
 * the donor and, when a receipt gets its number, the counter of the year. The lock of the donor orders all changes of a
 * donor's receipts; a new entry has taken it already.
 * @param isMailed whether the first receipt of the gift is mailed. A receipt that replaces one is mailed, unless the mail
 * of that one was never requested.
 * @throws RowMissing
 */
export async function correctReceipts(donationId: string, { isMailed = true } = {}): Promise<void> {
  await lockDonorOf(donationId);
  const gift = await readGift(donationId);
  if (gift.method === 'donor_advised_fund') return;
  await correctReceiptOfGift(donationId, gift, isMailed);
  // The annual receipt repeats facts of the gift's receipt, so it is corrected after that one.
  if (gift.tax_year !== null) await correctAnnualReceipt(gift.donor_id, gift.tax_year);
}

async function correctReceiptOfGift(donationId: string, gift: Gift, isMailed: boolean): Promise<void> {
  const last = await readLastReceipt(donationId);
  // The name of an erased donor is stored on receipts only.
  if (last && gift.is_erased) gift.donor_name = last.printed.donor_name;
  const remainingCents = gift.status === 'completed' ? gift.amount_cents - gift.refunded_cents : 0;
  if (last?.status === 'valid') {
    if (last.amount_cents === remainingCents && last.printed.donor_name === gift.donor_name) return;
    await endReceipt(last, remainingCents === 0 ? 'void' : 'superseded');
  }
  if (gift.tax_year === null || remainingCents === 0) return;
  const mailsReceipt = last ? last.mail_status !== 'not_requested' : isMailed;
  await issueReceipt(donationId, { ...gift, tax_year: gift.tax_year }, last, mailsReceipt);
}

const lockDonorOf = (donationId: string) =>
  rows(
    `SELECT FROM donors o WHERE o.organization_id = $1
        AND o.id = (SELECT d.donor_id FROM donations d WHERE d.organization_id = $1 AND d.id = $2) FOR NO KEY UPDATE`,
    [currentOrganization(), donationId],
  );

async function readGift(donationId: string): Promise<Gift> {
  const gift = await firstRow<Gift>(
    `SELECT d.donor_id, d.status, d.amount_cents, d.refunded_cents, d.currency, d.tax_year, d.method,
            ${RECEIPT_NAME} AS donor_name, o.erased_at IS NOT NULL AS is_erased, c.title AS campaign,
            CASE WHEN c.id IS NULL THEN u.name END AS fund, c.goods_description, c.goods_value_cents, f.legal_name, f.ein,
            f.mailing_address, f.receipt_template_overrides AS overrides,
            coalesce(d.received_on, app.local_day_of(f.timezone, d.charged_at)) AS given_on,
            app.local_day_of(f.timezone, now()) AS issued_on
       FROM donations d
       JOIN donors o ON o.organization_id = d.organization_id AND o.id = d.donor_id
       JOIN funds u ON u.organization_id = d.organization_id AND u.id = d.fund_id
       LEFT JOIN campaigns c ON c.organization_id = d.organization_id AND c.id = d.campaign_id
       JOIN foundation_configs f ON f.organization_id = d.organization_id
      WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), donationId],
  );
  if (!gift) throw new RowMissing('There is no such gift.');
  return gift;
}

/** Returns the latest receipt of a gift: the one that no other receipt replaces. */
const readLastReceipt = (donationId: string): Promise<LastReceipt | null> =>
  firstRow<LastReceipt>(
    `SELECT r.id, r.number, r.status, r.amount_cents, r.mail_status, r.printed FROM tax_receipts r
      WHERE r.organization_id = $1 AND r.donation_id = $2
        AND NOT EXISTS (SELECT FROM tax_receipts s WHERE s.organization_id = $1 AND s.replaces = r.id)`,
    [currentOrganization(), donationId],
  );

async function issueReceipt(
  donationId: string,
  gift: Gift & { tax_year: number },
  last: LastReceipt | null,
  isMailed: boolean,
): Promise<void> {
  const receiptId = await insertReceipt({
    donorId: gift.donor_id,
    donationId,
    taxYear: gift.tax_year,
    amountCents: gift.amount_cents - gift.refunded_cents,
    currency: gift.currency,
    replaces: last,
    printed: printedOf(gift, last),
    isMailed,
  });
  if (isMailed) await enqueue(donationReceipt, { receiptId });
}

/**
 * Collects what the receipt prints. A receipt that replaces another repeats the day, the campaign or fund, and the goods
 * of the first one, even if these or the time zone have changed since.
 */
function printedOf(gift: Gift, last: LastReceipt | null): PrintedReceipt {
  const { legal_name, ein, mailing_address, overrides } = gift;
  // This cannot happen: once a campaign is published or a gift is recorded, these settings cannot be removed.
  // `recordOfflineGift` requires them.
  if (legal_name === null || ein === null || mailing_address === null)
    throw new Error('The foundation lacks facts that every receipt prints.');
  const goods =
    gift.goods_description === null || gift.goods_value_cents === null
      ? null
      : { description: gift.goods_description, value_cents: gift.goods_value_cents };
  const { given_on, campaign, fund } = last?.printed ?? gift;
  const { amount_cents: charged_cents, refunded_cents: returned_cents, currency, donor_name, method } = gift;
  const fill = (template: string | undefined) =>
    template === undefined
      ? null
      : fillPlaceholders(template, {
          donor_name,
          campaign: campaign ?? fund ?? '',
          given_on,
          cents: charged_cents - returned_cents,
          currency,
        });
  return printedReceipt.parse({
    legal_name,
    ein,
    mailing_address,
    donor_name,
    campaign,
    fund,
    method,
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
