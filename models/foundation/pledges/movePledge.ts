/**
 * Pauses, resumes and cancels pledges. A charge that is not confirmed yet is withdrawn in the same transaction: its
 * process finds that under the lock of the pledge, closes the charge at the provider and takes no money.
 */
import { audit } from '../../database/audit.js';
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { requestPageClosing } from '../../finances/attempts/hostedPage.js';
import { requestPageLook } from '../../finances/attempts/requestPageLook.js';
import { foundationErrors } from '../errors.js';
import { findOpenPeriod, lockPledge, wakeCharge, wakePledge } from './lockPledge.js';
import { requestNotice } from './notices.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';
import type { Canceller, Mover } from './vocabulary.js';

/**
 * Pauses a pledge. An open charge is withdrawn.
 * @param resumeOn the day on which the pledge becomes active again; null: when somebody resumes it
 * @throws Refusal not_found, invalid_pledge_transition, validation_error
 */
export async function pausePledge(
  pledgeId: string,
  { resumeOn = null, by = 'donor' }: { resumeOn?: string | null | undefined; by?: Mover } = {},
): Promise<void> {
  const pledge = await lockPledge(pledgeId);
  if (pledge.status !== 'active' && pledge.status !== 'past_due') throw foundationErrors.invalid_pledge_transition();
  if (resumeOn !== null) await requireComingDay(resumeOn);
  await changeRow(RecurringPledge, pledgeId, { status: 'paused', next_due_at: null, resume_on: resumeOn });
  await withdrawOpenPeriod(pledgeId);
  if (by !== 'donor') await requestNotice(pledgeId, 'paused');
  await recordMove('paused', pledge, { by, resume_on: resumeOn });
}

/** @throws Refusal validation_error if the day is past, or more than a year ahead, in the foundation's time zone */
async function requireComingDay(resumeOn: string): Promise<void> {
  const { is_past, is_far } = await oneRow<{ is_past: boolean; is_far: boolean }>(
    `SELECT $2::date < today.day AS is_past, $2::date > today.day + interval '1 year' AS is_far
       FROM foundation_configs f CROSS JOIN LATERAL app.local_day_of(f.timezone, now()) AS today (day)
      WHERE f.organization_id = $1`,
    [currentOrganization(), resumeOn],
  );
  if (is_past) throw invalid('resume_on', 'Must not be past.');
  if (is_far) throw invalid('resume_on', 'Must be within a year.');
}

/**
 * Resumes a paused pledge: it is charged from the next period that is due in the future.
 * @throws Refusal not_found, invalid_pledge_transition
 */
export async function resumePledge(pledgeId: string, { by = 'donor' }: { by?: Mover } = {}): Promise<void> {
  const pledge = await lockPledge(pledgeId);
  if (pledge.status !== 'paused') throw foundationErrors.invalid_pledge_transition();
  await rows(
    `UPDATE recurring_pledges g SET status = 'active', resume_on = NULL, next_period = due.n, next_due_at = due.due_at
       FROM foundation_configs f
      CROSS JOIN LATERAL app.pledge_period_due(f.timezone, $2, $3, $4, $5, now(), true) AS due
      WHERE f.organization_id = $1 AND g.organization_id = $1 AND g.id = $2`,
    [currentOrganization(), pledgeId, pledge.anchor_on, pledge.recurring_interval, pledge.next_period],
  );
  if (by === 'admin') await requestNotice(pledgeId, 'resumed');
  await recordMove('resumed', pledge, { by });
}

/**
 * Cancels a pledge for good. An open charge is withdrawn; one that is already being confirmed may still succeed, and its
 * money is then returned. The provider deletes the card.
 * @returns whether a charge is in flight
 * @throws Refusal not_found, invalid_pledge_transition
 */
export async function cancelPledge(
  pledgeId: string,
  { by, reason = null }: { by: Canceller; reason?: string | null | undefined },
): Promise<{ charge_in_flight: boolean }> {
  const pledge = await lockPledge(pledgeId);
  if (pledge.status === 'cancelled')
    throw foundationErrors.invalid_pledge_transition('This pledge is cancelled already.');
  await changeRow(RecurringPledge, pledgeId, {
    status: 'cancelled',
    next_due_at: null,
    resume_on: null,
    // The clock, not the start of the transaction: the time is compared with that of charges, which wait for this lock.
    cancelled_at: computed('clock_timestamp()'),
    cancelled_by: by,
    cancel_reason: reason,
  });
  await withdrawOpenPeriod(pledgeId);
  await requestNotice(pledgeId, 'cancelled');
  await recordMove('cancelled', pledge, { by });
  return { charge_in_flight: await isChargeInFlight(pledgeId) };
}

/**
 * Cancels a pledge by the link in a mail. May be repeated, also at the same moment as another cancellation.
 * @returns whether a charge is in flight
 * @throws Refusal not_found
 */
export async function cancelPledgeByLink(pledgeId: string): Promise<{ charge_in_flight: boolean }> {
  const { status } = await lockPledge(pledgeId);
  if (status === 'cancelled') return { charge_in_flight: await isChargeInFlight(pledgeId) };
  return cancelPledge(pledgeId, { by: 'mailed_link' });
}

/**
 * Withdraws the open period, unless its charge is being confirmed: then only the provider's answer ends it. The pledge
 * is locked.
 */
async function withdrawOpenPeriod(pledgeId: string): Promise<void> {
  const period = await findOpenPeriod(pledgeId);
  if (!period) return;
  const page = await firstRow<{ id: string }>(
    `SELECT id FROM payment_attempts WHERE organization_id = $1 AND donation_id = $2 AND status = 'pending' AND has_page`,
    [currentOrganization(), period.donation_id],
  );
  if (page) {
    await requestPageClosing(page.id, 'cancelled');
    await requestPageLook({ id: page.id, isForDonation: true });
  }
  if (!period.confirming_at) await missPeriod(period, 'withdrawn');
  await wakeCharge(period);
}

/** Closes an open period without a payment, and fails its gift. The pledge is locked. */
export async function missPeriod(
  { id, donation_id }: Pick<PledgePeriod, 'id' | 'donation_id'>,
  reason: 'declined' | 'withdrawn',
): Promise<void> {
  await changeRow(
    PledgePeriod,
    { id, status: 'open' },
    {
      status: 'missed',
      missed_reason: reason,
      next_try_at: null,
      confirming_at: null,
      closed_at: computed('clock_timestamp()'),
    },
  );
  await rows(
    `UPDATE donations SET status = 'failed', failure_code = coalesce(failure_code, $3)
      WHERE organization_id = $1 AND id = $2 AND charged_at IS NULL AND NOT under_review`,
    [currentOrganization(), donation_id, reason],
  );
}

/**
 * Reports whether a charge of the pledge may still take money: the process has read the pledge for the last time and is
 * confirming it, or the donor may be paying on a page that is not closed yet.
 */
export async function isChargeInFlight(pledgeId: string): Promise<boolean> {
  const { found } = await oneRow<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pledge_periods d
        JOIN payment_attempts a ON a.organization_id = d.organization_id AND a.donation_id = d.donation_id
       WHERE d.organization_id = $1 AND d.pledge_id = $2 AND a.status = 'pending'
         AND (d.confirming_at IS NOT NULL OR a.checkout_keys > 0)) AS found`,
    [currentOrganization(), pledgeId],
  );
  return found;
}

async function recordMove(
  move: 'paused' | 'resumed' | 'cancelled',
  { id, status }: RecurringPledge,
  facts: Record<string, unknown>,
): Promise<void> {
  await audit({
    action: `recurring_pledge.${move}`,
    subjectType: 'recurring_pledge',
    subjectId: id,
    before: { status },
    after: facts,
  });
  await wakePledge(id);
}

/** Pauses the pledges of the donor whose gift is disputed. Donors who dispute a charge must not be charged again. */
export async function pauseDisputedPledges({ donationId }: { donationId: string }): Promise<void> {
  const pledges = await rows<{ id: string }>(
    `SELECT g.id FROM recurring_pledges g JOIN donations d ON d.organization_id = g.organization_id AND d.donor_id = g.donor_id
      WHERE d.organization_id = $1 AND d.id = $2 AND g.status IN ('active','past_due') ORDER BY g.id FOR UPDATE OF g`,
    [currentOrganization(), donationId],
  );
  for (const { id } of pledges) await pausePledge(id, { by: 'process' });
}

/** Cancels the pledges of the donors that an account is linked to, when the account is deleted. @returns their number */
export const cancelPledgesOfUser = (userId: string): Promise<number> =>
  cancelPledgesWhere('o.user_id = $2', userId, 'account_deletion');

/** Cancels the pledges of a donor whom an admin erases. @returns their number */
export const cancelPledgesOfDonor = (donorId: string): Promise<number> =>
  cancelPledgesWhere('o.id = $2', donorId, 'admin');

/** Reports whether a donor has a pledge that is not cancelled. */
export const hasLivePledgeOfDonor = async (donorId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM recurring_pledges WHERE organization_id = $1 AND donor_id = $2 AND status <> 'cancelled'`,
    [currentOrganization(), donorId],
  )) !== null;

async function cancelPledgesWhere(condition: string, id: string, by: Canceller): Promise<number> {
  const pledges = await rows<{ id: string }>(
    `SELECT g.id FROM recurring_pledges g JOIN donors o ON o.organization_id = g.organization_id AND o.id = g.donor_id
      WHERE o.organization_id = $1 AND ${condition} AND g.status <> 'cancelled' ORDER BY g.id FOR UPDATE OF g`,
    [currentOrganization(), id],
  );
  for (const pledge of pledges) await cancelPledge(pledge.id, { by });
  return pledges.length;
}
