/** Reads the records of a donor for that person. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { DonationStatus } from '../donations/Donation.js';
import { DONOR_PLEDGE, type DonorPledge } from '../pledges/openPeriodPage.js';
import type { ReceiptFacts } from '../receipts/receiptTexts.js';

/** The owner of records: a donor, or an account with all donors that are linked to it. */
export type Owner = { donorId: string } | { userId: string };

/** SQL: whether a row belongs to an owner, whose id is a bound value. */
const isOwn = (row: string, owner: Owner, bound: string): string =>
  'donorId' in owner
    ? `${row}.donor_id = ${bound}`
    : `${row}.donor_id = ANY (ARRAY(
         SELECT o.id FROM donors o WHERE o.organization_id = (SELECT app.org_id()) AND o.user_id = ${bound}))`;

const idOf = (owner: Owner): string => ('donorId' in owner ? owner.donorId : owner.userId);

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

/** Lists gifts, newest first. @throws Refusal page_not_found */
export const listOwnGifts = (owner: Owner, page: PageRequest): Promise<Page<OwnGift>> =>
  selectPage<OwnGift>({
    from: 'donations donations',
    where: `donations.organization_id = (SELECT app.org_id()) AND ${isOwn('donations', owner, '$1')}`,
    values: [idOf(owner)],
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

/** SQL: the valid receipts of the owner $1. A receipt that was replaced or voided would mislead in a tax return. */
const ownReceipts = (owner: Owner) => `tax_receipts.organization_id = (SELECT app.org_id())
  AND ${isOwn('tax_receipts', owner, '$1')} AND tax_receipts.status = 'valid'`;

/** Lists valid receipts, newest first. @throws Refusal page_not_found */
export const listOwnReceipts = (owner: Owner, page: PageRequest): Promise<Page<OwnReceipt>> =>
  selectPage<OwnReceipt>({
    from: 'tax_receipts tax_receipts',
    where: ownReceipts(owner),
    values: [idOf(owner)],
    orderBy: 'tax_receipts.id DESC',
    key: 'tax_receipts.id',
    select:
      'tax_receipts.id, tax_receipts.number, tax_receipts.tax_year, tax_receipts.donation_id IS NULL AS is_annual, tax_receipts.amount_cents, tax_receipts.currency',
    ...page,
  });

/** Reads a valid receipt. @throws Refusal not_found, also for receipts of other donors */
export const readOwnReceipt = async (owner: Owner, receiptId: string): Promise<ReceiptFacts> =>
  requireFound(
    await firstRow<ReceiptFacts>(
      `SELECT number, amount_cents, currency, code, printed FROM tax_receipts WHERE ${ownReceipts(owner)} AND id = $2`,
      [idOf(owner), receiptId],
    ),
  );

/** Lists pledges, newest first. */
export const listOwnPledges = (owner: Owner): Promise<DonorPledge[]> =>
  rows<DonorPledge & Record<string, unknown>>(`${DONOR_PLEDGE} AND ${isOwn('g', owner, '$2')} ORDER BY g.id DESC`, [
    currentOrganization(),
    idOf(owner),
  ]);

/** Reads a pledge. @throws Refusal not_found, also for pledges of other donors */
export const readOwnPledge = async (owner: Owner, pledgeId: string): Promise<DonorPledge> =>
  requireFound(
    await firstRow<DonorPledge & Record<string, unknown>>(
      `${DONOR_PLEDGE} AND ${isOwn('g', owner, '$2')} AND g.id = $3`,
      [currentOrganization(), idOf(owner), pledgeId],
    ),
  );
