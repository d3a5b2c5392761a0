/** Lists gifts and donors for the people of the foundation. */
import { loadRow, type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { rows } from '../../database/rows.js';
import { anyLike, containing } from '../../organizations/search.js';
import { Donation, type DonationMethod, type DonationStatus } from './Donation.js';
import { Donor } from './Donor.js';

export interface DonationFilters {
  status?: DonationStatus | undefined;
  method?: DonationMethod | undefined;
  campaign?: string | undefined;
  fund?: string | undefined;
  donor?: string | undefined;
  /** Only gifts from this day to the day in `to`, in the time zone of the foundation. */
  from?: string | undefined;
  to?: string | undefined;
}

/** SQL: the beginning of a day in the time zone of the foundation. */
const beginningOf = (day: string): string =>
  `(SELECT app.day_begins(f.timezone, ${day}) FROM foundation_configs f WHERE f.organization_id = (SELECT app.org_id()))`;

/** Returns the WHERE clause of a list of gifts, with its bound values. */
export function whereOf(filters: DonationFilters): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (bound: string) => string) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filters.status, (status) => `donations.status = ${status}`);
  add(filters.method, (method) => `donations.method = ${method}`);
  add(filters.campaign, (id) => `donations.campaign_id = ${id}`);
  add(filters.fund, (id) => `donations.fund_id = ${id}`);
  add(filters.donor, (id) => `donations.donor_id = ${id}`);
  add(filters.from, (day) => `donations.created_at >= ${beginningOf(`${day}::date`)}`);
  add(filters.to, (day) => `donations.created_at < ${beginningOf(`(${day}::date + 1)`)}`);
  // The tenant is not named here: row level security adds it as a condition of the index. Naming it twice makes
  // Postgres compare both for each counted row, which costs a sixth of the count.
  return { where: conditions.join(' AND ') || 'true', values };
}

/** Returns the query of a page of gifts, newest first. */
export function donationsPage(filters: DonationFilters, page: PageRequest): PageQuery {
  return {
    from: 'donations donations',
    ...whereOf(filters),
    orderBy: 'donations.id DESC',
    key: 'donations.id',
    select: shownSql(Donation),
    ...page,
  };
}

/** Lists gifts, newest first. */
export const listDonations = (filters: DonationFilters, page: PageRequest): Promise<Page<ShownRow<typeof Donation>>> =>
  selectPage<ShownRow<typeof Donation>>(donationsPage(filters, page));

/** One change of a gift's money: it was received, it was returned, or a return was undone. */
export interface DonationEntry {
  kind: 'received' | 'returned' | 'reinstated';
  amount_cents: number;
  moved_at: Date;
}

/** Lists the entries of a gift, oldest first. @throws Refusal not_found */
export async function listEntries(donationId: string): Promise<DonationEntry[]> {
  const { id } = await loadRow(Donation, donationId);
  return rows<DonationEntry>(
    'SELECT kind, amount_cents, moved_at FROM donation_entries WHERE organization_id = (SELECT app.org_id()) AND donation_id = $1 ORDER BY id',
    [id],
  );
}

/** Lists donors by last name. @param search part of the e-mail address or a name */
export const listDonors = (search: string | undefined, page: PageRequest): Promise<Page<ShownRow<typeof Donor>>> =>
  selectPage<ShownRow<typeof Donor>>({
    from: 'donors donors',
    where: `donors.organization_id = (SELECT app.org_id())${
      search ? ` AND ${anyLike(['donors.email', 'donors.first_name', 'donors.last_name'], '$1')}` : ''
    }`,
    values: search ? [containing(search)] : [],
    orderBy: 'donors.last_name',
    key: 'donors.id',
    select: shownSql(Donor),
    ...page,
  });
