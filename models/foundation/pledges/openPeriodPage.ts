/** Lets a donor pay the open period of a pledge on a page of the provider, which keeps the card entered there. */
import { config } from '../../../config.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { openDonationPage } from '../../finances/attempts/openDonationPage.js';
import { findPendingAttempt } from '../../finances/attempts/giftAttempt.js';
import { Donation } from '../donations/Donation.js';
import { foundationErrors } from '../errors.js';
import { findOpenPeriod, lockPledge } from './lockPledge.js';
import type { PledgeStatus, RecurringInterval } from './vocabulary.js';

/** A pledge as its donor sees it on a page. */
export interface DonorPledge {
  id: string;
  status: PledgeStatus;
  amount_cents: number;
  currency: string;
  interval: RecurringInterval;
  campaign: string;
  foundation_name: string;
  next_due_on: string | null;
  cancelled_on: string | null;
  /** Whether a period waits for a payment after a decline. */
  has_open_period: boolean;
}

/** SQL of a pledge `g` as its donor sees it. */
export const DONOR_PLEDGE = `
  SELECT g.id, g.status, g.amount_cents, g.currency, g.recurring_interval AS interval, c.title AS campaign, f.name AS foundation_name,
         app.local_day_of(f.timezone, g.next_due_at)::text AS next_due_on, app.local_day_of(f.timezone, g.cancelled_at)::text AS cancelled_on,
         g.status = 'past_due' AND EXISTS (SELECT FROM pledge_periods d WHERE d.organization_id = g.organization_id
           AND d.pledge_id = g.id AND d.status = 'open') AS has_open_period
    FROM recurring_pledges g
    JOIN campaigns c ON c.organization_id = g.organization_id AND c.id = g.campaign_id
    JOIN foundation_configs f ON f.organization_id = g.organization_id
   WHERE g.organization_id = $1`;

/** Reads a pledge for its donor. @throws Refusal not_found */
export const readDonorPledge = async (pledgeId: string): Promise<DonorPledge> =>
  requireFound(
    await firstRow<DonorPledge & Record<string, unknown>>(`${DONOR_PLEDGE} AND g.id = $2`, [
      currentOrganization(),
      pledgeId,
    ]),
  );

/**
 * Opens a page for the open period of a pledge, or returns the gift of one that is open already. While the page is open,
 * the process does not charge the kept card.
 * @param pageUrl the page to which a donor returns who does not pay
 * @returns the gift of the period
 * @throws Refusal not_found, invalid_pledge_transition if no period waits for a payment, gift_being_charged
 */
export async function openPeriodPage(pledgeId: string, pageUrl: string): Promise<string> {
  const pledge = await lockPledge(pledgeId);
  const period = await findOpenPeriod(pledgeId);
  if (pledge.status !== 'past_due' || !period)
    throw foundationErrors.invalid_pledge_transition('No gift of this pledge waits for a payment.');
  const { id: donationId, amount_cents, currency } = await loadRow(Donation, period.donation_id);
  const pending = await findPendingAttempt(donationId);
  if (pending && (!pending.hasPage || pending.isClosing)) throw foundationErrors.gift_being_charged();
  if (pending) return donationId;
  const { campaign, foundation_name } = await readDonorPledge(pledgeId);
  await openDonationPage({
    donationId,
    pledgeId,
    processorId: pledge.processor_id,
    amountCents: amount_cents,
    currency,
    description: `${foundation_name}: ${campaign}`,
    doneUrl: `${config.givingUrl}/donation-success/?donation_id=${donationId}`,
    cancelUrl: pageUrl,
    keepsCard: true,
  });
  return donationId;
}
