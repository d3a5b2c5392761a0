/**
 * Locks a pledge, and wakes its processes. Every change of a pledge or its periods locks the row of the pledge first.
 * All transactions lock in the order capture, pledge, gift, attempt.
 */
import { pledgeCharge, recurringPledge } from '../../../workflows/contracts/index.js';
import { PERIOD_CHANGED } from '../../../workflows/contracts/pledgeCharge.js';
import { PLEDGE_CHANGED } from '../../../workflows/contracts/recurringPledge.js';
import { lockExclusive } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { requireFound, RowMissing } from '../../errors.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';

/** Locks a pledge. @throws Refusal not_found */
export const lockPledge = async (pledgeId: string): Promise<RecurringPledge> =>
  requireFound(await lockExclusive(RecurringPledge, pledgeId));

/** Locks a pledge for a step of its process. @throws RowMissing */
export async function lockPledgeForStep(pledgeId: string): Promise<RecurringPledge> {
  const pledge = await lockExclusive(RecurringPledge, pledgeId);
  if (!pledge) throw new RowMissing('There is no such pledge.');
  return pledge;
}

/** Returns the period that is being charged, or null. The pledge is locked. */
export const findOpenPeriod = (pledgeId: string): Promise<PledgePeriod | null> =>
  loadIfExists(PledgePeriod, { pledge_id: pledgeId, status: 'open' });

/** Makes the process of a pledge read its row again. Starts the process if it does not run. */
export async function wakePledge(pledgeId: string): Promise<void> {
  await enqueue(recurringPledge, { pledgeId }, { signal: PLEDGE_CHANGED });
}

/** Makes the process that charges a period read its rows again. */
export async function wakeCharge({ pledge_id: pledgeId, n }: Pick<PledgePeriod, 'pledge_id' | 'n'>): Promise<void> {
  await enqueue(pledgeCharge, { pledgeId, period: String(n) }, { signal: PERIOD_CHANGED });
}
