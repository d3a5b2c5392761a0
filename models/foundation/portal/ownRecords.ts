/** Reads a donor's own gifts and receipts. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { DonationStatus } from '../donations/Donation.js';
import type { ReceiptFacts } from '../receipts/receiptTexts.js';

/** A gift as its donor sees it. Amounts in cents. */
export interface OwnGift {
  id: string;
  status: DonationStatus;
  under_review: boolean;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** Title of the campaign, or the name of the fund. */
  purpose: string;
  is_anonymous: boolean;
  /** YYYY-MM-DD, in the foundation's time zone. */
  given_on: string;
}

/** Lists the gifts of a donor, newest first. @throws Refusal page_not_found */
export const listOwnGifts = (donorId: string, page: PageRequest): Promise<Page<OwnGift>> =>
  selectPage<OwnGift>({
    from: 'donations donations',
    where: 'donations.organization_id = (SELECT app.org_id()) AND donations.donor_id = $1',
    values: [donorId],
    orderBy: 'donations.id DESC',
    key: 'donations.id',
    select: `donations.id, donations.status, donations.under_review, donations.amount_cents, donations.refunded_cents,
      donations.currency, donations.is_anonymous, coalesce(c.title, u.name) AS purpose,
      app.local_day_of(f.timezone, coalesce(donations.charged_at, donations.created_at)) AS given_on`,
    join: `JOIN foundation_configs f ON f.organization_id = donations.organization_id
      JOIN funds u ON u.organization_id = donations.organization_id AND u.id = donations.fund_id
      LEFT JOIN campaigns c ON c.organization_id = donations.organization_id AND c.id = donations.campaign_id`,
    ...page,
  });

/** A valid receipt as its donor sees it. */
export interface OwnReceipt {
  id: string;
  number: string;
  tax_year: number;
  /** Whether it lists all gifts of the year. */
  is_annual: boolean;
  amount_cents: number;
  currency: string;
}

/** SQL: the valid receipts of the donor $1. A receipt that was replaced or voided would mislead in a tax return. */
const OWN_RECEIPTS = `tax_receipts.organization_id = (SELECT app.org_id()) AND tax_receipts.donor_id = $1
  AND tax_receipts.status = 'valid'`;

/** Lists the valid receipts of a donor, newest first. @throws Refusal page_not_found */
export const listOwnReceipts = (donorId: string, page: PageRequest): Promise<Page<OwnReceipt>> =>
  selectPage<OwnReceipt>({
    from: 'tax_receipts tax_receipts',
    where: OWN_RECEIPTS,
    values: [donorId],
    orderBy: 'tax_receipts.id DESC',
    key: 'tax_receipts.id',
    select:
      'tax_receipts.id, tax_receipts.number, tax_receipts.tax_year, tax_receipts.donation_id IS NULL AS is_annual, tax_receipts.amount_cents, tax_receipts.currency',
    ...page,
  });

/** Reads a valid receipt of a donor. @throws Refusal not_found, also for receipts of other donors */
export const readOwnReceipt = async (donorId: string, receiptId: string): Promise<ReceiptFacts> =>
  requireFound(
    await firstRow<ReceiptFacts>(
      `SELECT number, amount_cents, currency, code, printed FROM tax_receipts WHERE ${OWN_RECEIPTS} AND id = $2`,
      [donorId, receiptId],
    ),
  );
