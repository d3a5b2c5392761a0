/**
 * Claims the charges of a period. A claim is committed before the provider is asked, and the pledge is read again, under
 * the lock that a cancellation takes, before the charge is confirmed.
 */
import type { PledgeChargeOutcome } from '../../../workflows/contracts/pledgeCharge.js';
import { config } from '../../../config.js';
import { changeRow, computed } from '../../database/model/change.js';
import { loadIfExists, loadRow } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { createKeptCardCharge, findPendingAttempt } from '../../finances/attempts/giftAttempt.js';
import { Donation } from '../donations/Donation.js';
import { chargeAttemptId } from './chargeKey.js';
import { lockPledgeForStep, wakePledge } from './lockPledge.js';
import { missDeclined } from './followEndedTry.js';
import { cancelPledge, missPeriod } from './movePledge.js';
import { PledgePeriod } from './PledgePeriod.js';
import type { RecurringPledge } from './RecurringPledge.js';
import { readReturn, requestReturn } from './returnLateCharge.js';

/** After this many days, a period that has no further charge is missed. */
const LAST_DAY = 14;
/** Interval at which held charges are looked at. */
const HELD_SECONDS = 600;
/** Interval at which a period is looked at that waits for a page or a refund. A signal ends the wait earlier. */
const WAIT_SECONDS = 86_400;

/** Next step of the process of a period: charge an attempt, wait, or end. */
export type ChargeStep =
  | { attemptId: string }
  | { seconds: number; stage: 'waiting' | 'returning' }
  | { over: PledgeChargeOutcome };

const wait = (seconds: number): ChargeStep => ({ seconds, stage: 'waiting' });

/**
 * Claims the next charge of a period, if one is due. Until that charge has ended, each call returns it again. While
 * charges are held, no charge is opened, also if it was claimed before: a restored backup may contain such a claim.
 * @throws RowMissing
 */
export async function claimCharge(pledgeId: string, n: number): Promise<ChargeStep> {
  const pledge = await lockPledgeForStep(pledgeId);
  const period = await loadIfExists(PledgePeriod, { pledge_id: pledgeId, n });
  if (!period) throw new RowMissing('There is no such period.');
  const attempt = await findPendingAttempt(period.donation_id);
  // While the donor pays on a page, the process does not charge: a period has one charge at a time.
  if (attempt?.hasPage) return wait(WAIT_SECONDS);
  if (attempt && (attempt.isOpened || period.status !== 'open')) return { attemptId: attempt.id };
  if (attempt) return (await areChargesHeld()) ? wait(HELD_SECONDS) : { attemptId: attempt.id };
  if (period.status === 'paid') return followReturn(period);
  if (period.status === 'missed') return { over: period.missed_reason === 'withdrawn' ? 'withdrawn' : 'missed' };
  if (pledge.status === 'paused' || pledge.status === 'cancelled') {
    await missPeriod(period, 'withdrawn');
    await wakePledge(pledgeId);
    return { over: 'withdrawn' };
  }
  return claimOpen(pledge, period);
}

/** Follows the refund of a charge that succeeded after the cancellation. One that fails is requested again each day. */
async function followReturn({ donation_id }: PledgePeriod): Promise<ChargeStep> {
  const state = await readReturn(donation_id);
  if (state === 'none') return { over: 'paid' };
  if (state === 'returned') return { over: 'returned' };
  if (state === 'failed') await requestReturn(donation_id);
  return { seconds: WAIT_SECONDS, stage: 'returning' };
}

async function claimOpen(pledge: RecurringPledge, period: PledgePeriod): Promise<ChargeStep> {
  const { is_due, is_over, is_reviewed, seconds } = await oneRow<
    Record<'is_due' | 'is_over' | 'is_reviewed', boolean> & { seconds: number }
  >(
    `SELECT coalesce(p.next_try_at <= now(), false) AS is_due,
            p.next_try_at IS NULL AND p.created_at + interval '${LAST_DAY} days' <= now() AS is_over,
            d.under_review AS is_reviewed,
            greatest(1, ceil(extract(epoch FROM coalesce(p.next_try_at, p.created_at + interval '${LAST_DAY} days') - now())))::int AS seconds
       FROM pledge_periods p JOIN donations d ON d.organization_id = p.organization_id AND d.id = p.donation_id
      WHERE p.organization_id = $1 AND p.id = $2`,
    [currentOrganization(), period.id],
  );
  // Another amount was captured, and an administrator decides about it.
  if (is_reviewed) return wait(WAIT_SECONDS);
  if (is_over) {
    await missDeclined(pledge, period);
    return { over: 'missed' };
  }
  if (!is_due) return wait(seconds);
  if (await areChargesHeld()) return wait(HELD_SECONDS);
  if (pledge.card_encrypted === null) {
    await cancelPledge(pledge.id, { by: 'process', reason: 'card_gone' });
    return { over: 'withdrawn' };
  }
  return { attemptId: await insertAttempt(pledge, period) };
}

/** Reports whether no charge is opened now: `PLEDGE_CHARGES` is off, or the organization is suspended. */
async function areChargesHeld(): Promise<boolean> {
  if (!config.PLEDGE_CHARGES) return true;
  const { is_active } = await oneRow<{ is_active: boolean }>('SELECT is_active FROM organizations WHERE id = $1', [
    currentOrganization(),
  ]);
  return !is_active;
}

async function insertAttempt(pledge: RecurringPledge, period: PledgePeriod): Promise<string> {
  const tries = period.tries + 1;
  await changeRow(PledgePeriod, period.id, { tries, confirming_at: null });
  const { id: donationId, amount_cents: amountCents, currency } = await loadRow(Donation, period.donation_id);
  const id = chargeAttemptId(pledge.id, period.n, tries);
  const charge = { id, donationId, pledgeId: pledge.id, processorId: pledge.processor_id, amountCents, currency };
  await createKeptCardCharge(charge);
  return id;
}

/**
 * Reads the pledge for the last time before a charge is confirmed, and records that it is being confirmed.
 * @returns false if the charge must be closed at the provider instead, because the pledge was paused or cancelled
 * @throws RowMissing
 */
export async function beginConfirming(pledgeId: string, n: number, attemptId: string): Promise<boolean> {
  const pledge = await lockPledgeForStep(pledgeId);
  const period = await loadIfExists(PledgePeriod, { pledge_id: pledgeId, n });
  const isLive = pledge.status === 'active' || pledge.status === 'past_due';
  if (!isLive || period?.status !== 'open') return false;
  if (attemptId !== chargeAttemptId(pledgeId, n, period.tries)) return false;
  if (!period.confirming_at) await changeRow(PledgePeriod, period.id, { confirming_at: computed('clock_timestamp()') });
  return true;
}
