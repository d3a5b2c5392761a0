import { recurringPledge } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { requestNotice } from './notices.js';

/**
 * Starts the pledge of a gift that was given as the first of a series, when it is completed. The local day of the charge
 * is the anchor of all due days. The gift is locked.
 * @param captureId the charge of the gift, whose account keeps the card
 */
export async function startPledge(donationId: string, captureId: string): Promise<void> {
  const pledgeId = uuidv7();
  await rows(
    `INSERT INTO recurring_pledges (id, organization_id, donor_id, campaign_id, fund_id, processor_id, recurring_interval,
        amount_cents, base_amount_cents, currency, first_name, last_name, is_anonymous, anchor_on, next_period, next_due_at,
        last_charged_at)
     SELECT $4, d.organization_id, d.donor_id, d.campaign_id, d.fund_id, c.processor_id, d.recurring_interval,
            d.amount_cents, d.base_amount_cents, d.currency, d.first_name, d.last_name, d.is_anonymous, anchor.day, 1,
            app.pledge_due_at(f.timezone, $4, app.pledge_due_on(anchor.day, d.recurring_interval, 1)), d.charged_at
       FROM donations d
       JOIN processor_captures c ON c.organization_id = d.organization_id AND c.id = $3
       JOIN foundation_configs f ON f.organization_id = d.organization_id
      CROSS JOIN LATERAL app.local_day_of(f.timezone, d.charged_at) AS anchor (day)
      WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), donationId, captureId, pledgeId],
  );
  await rows('UPDATE donations SET pledge_id = $3, period = 0 WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    donationId,
    pledgeId,
  ]);
  const { recurring_interval } = await oneRow<{ recurring_interval: string }>(
    `WITH first AS (
       INSERT INTO pledge_periods (organization_id, pledge_id, n, due_at, donation_id, status, next_try_at, closed_at)
       SELECT organization_id, pledge_id, 0, charged_at, id, 'paid', NULL, clock_timestamp() FROM donations
        WHERE organization_id = $1 AND id = $2)
     SELECT recurring_interval FROM donations WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), donationId],
  );
  await audit({
    action: 'recurring_pledge.started',
    subjectType: 'recurring_pledge',
    subjectId: pledgeId,
    after: { donation: donationId, interval: recurring_interval },
  });
  await requestNotice(pledgeId, 'started');
  await enqueue(recurringPledge, { pledgeId });
}
