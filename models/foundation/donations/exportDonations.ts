/** Reads gifts for an export, newest first, in keyset pages. */
import { audit } from '../../database/audit.js';
import { keysetPages } from '../../database/keysetPages.js';
import { rows } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import type { DonationMethod, DonationStatus } from './Donation.js';
import { type DonationFilters, whereOf } from './listDonations.js';

/** A gift as the export shows it. Amounts in cents. */
export interface ExportedGift {
  id: string;
  /** The day of the charge or receipt in the time zone of the foundation; null for an unpaid gift. */
  given_on: string | null;
  created_at: Date;
  status: DonationStatus;
  method: DonationMethod;
  tax_year: number | null;
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  refunded_cents: number;
  currency: string;
  first_name: string;
  last_name: string;
  /** Null after the donor was erased. */
  email: string | null;
  is_anonymous: boolean;
  campaign: string | null;
  fund: string;
  /** Number of the valid receipt. */
  receipt: string | null;
}

/** Gifts per page: each page takes a transaction of its own, and two pages are in memory. */
const PAGE_SIZE = 4_000;

/** Writes to the audit log that somebody exports gifts. */
export const auditExport = (filters: DonationFilters): Promise<void> =>
  audit({ action: 'donations.exported', subjectType: 'foundation', subjectId: null, after: { ...filters } });

/** Yields pages of gifts, newest first. Each page is read in a read-only transaction of its own. */
export const exportDonations = (
  organizationId: string,
  filters: DonationFilters,
  pageSize = PAGE_SIZE,
): AsyncGenerator<ExportedGift[]> =>
  keysetPages(
    (before) => inTenant(organizationId, () => readNextGifts(filters, before, pageSize), { readOnly: true }),
    pageSize,
  );

/** Reads the gifts that follow the gift `before` in the order of the export. */
function readNextGifts(filters: DonationFilters, before: string | null, pageSize: number): Promise<ExportedGift[]> {
  const { where, values } = whereOf(filters);
  const after = before === null ? '' : ` AND donations.id < $${values.push(before)}`;
  return rows<ExportedGift & Record<string, unknown>>(
    `SELECT d.id, coalesce(d.received_on, app.local_day_of(f.timezone, d.charged_at)) AS given_on, d.created_at, d.status, d.method,
            d.tax_year, d.amount_cents, d.fee_cents, d.net_cents, d.refunded_cents, d.currency, d.first_name, d.last_name, o.email,
            d.is_anonymous, c.title AS campaign, u.name AS fund, r.number AS receipt
       FROM (SELECT donations.* FROM donations donations WHERE ${where}${after} ORDER BY donations.id DESC LIMIT ${pageSize}) d
       JOIN foundation_configs f ON f.organization_id = d.organization_id
       JOIN donors o ON o.organization_id = d.organization_id AND o.id = d.donor_id
       JOIN funds u ON u.organization_id = d.organization_id AND u.id = d.fund_id
       LEFT JOIN campaigns c ON c.organization_id = d.organization_id AND c.id = d.campaign_id
       LEFT JOIN tax_receipts r ON r.organization_id = d.organization_id AND r.donation_id = d.id AND r.status = 'valid'
      ORDER BY d.id DESC`,
    values,
  );
}
