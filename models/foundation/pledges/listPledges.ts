/** Reads pledges for the people of the foundation. */
import { type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { isChargeInFlight } from './movePledge.js';
import { RecurringPledge } from './RecurringPledge.js';
import type { Canceller, PledgeStatus } from './vocabulary.js';

export interface PledgeFilters {
  status?: PledgeStatus | undefined;
  donor?: string | undefined;
  campaign?: string | undefined;
}

export type ShownPledge = ShownRow<typeof RecurringPledge>;

/** Lists pledges, newest first. */
export function listPledges(filters: PledgeFilters, page: PageRequest): Promise<Page<ShownPledge>> {
  const values: unknown[] = [];
  const conditions = ['recurring_pledges.organization_id = (SELECT app.org_id())'];
  const add = (value: unknown, column: string) => {
    if (value !== undefined) conditions.push(`recurring_pledges.${column} = $${values.push(value)}`);
  };
  add(filters.status, 'status');
  add(filters.donor, 'donor_id');
  add(filters.campaign, 'campaign_id');
  return selectPage<ShownPledge>({
    from: 'recurring_pledges recurring_pledges',
    where: conditions.join(' AND '),
    values,
    orderBy: 'recurring_pledges.id DESC',
    key: 'recurring_pledges.id',
    select: shownSql(RecurringPledge),
    ...page,
  });
}

/** The proof that a cancelled pledge was not charged, or that the money went back. */
export interface Cancellation {
  cancelled_at: Date | null;
  cancelled_by: Canceller | null;
  /** When the last charge was recorded, by the clock of `cancelled_at`. Providers report charges by the second. */
  last_charged_at: Date | null;
  charge_in_flight: boolean;
  /** When the money of charges that succeeded after the cancellation went back; null if there is none. */
  refunded_at: Date | null;
}

/** Reads the proof of a cancellation. @throws Refusal not_found */
export async function readCancellation(pledgeId: string): Promise<Cancellation> {
  const pledge = requireFound(
    await firstRow<Omit<Cancellation, 'charge_in_flight'> & Record<string, unknown>>(
      `SELECT g.cancelled_at, g.cancelled_by,
              (SELECT max(d.closed_at) FROM pledge_periods d
                WHERE d.organization_id = g.organization_id AND d.pledge_id = g.id AND d.status = 'paid') AS last_charged_at,
              (SELECT max(e.moved_at) FROM pledge_periods d
                 JOIN donations o ON o.organization_id = d.organization_id AND o.id = d.donation_id AND o.status = 'refunded'
                 JOIN donation_entries e ON e.organization_id = d.organization_id AND e.donation_id = d.donation_id AND e.kind = 'returned'
                WHERE d.organization_id = g.organization_id AND d.pledge_id = g.id AND d.closed_at > g.cancelled_at) AS refunded_at
         FROM recurring_pledges g WHERE g.organization_id = $1 AND g.id = $2`,
      [currentOrganization(), pledgeId],
    ),
  );
  return { ...pledge, charge_in_flight: await isChargeInFlight(pledgeId) };
}
