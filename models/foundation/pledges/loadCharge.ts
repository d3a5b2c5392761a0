import { loadIfExists } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import { type Attempt, loadAttempt } from '../../finances/attempts/attempt.js';
import { chargeKeyOf } from './chargeKey.js';
import { cardOf } from './keptCard.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';

/** Facts of a charge that do not change. */
export interface ChargeFacts {
  donationId: string;
  /** Idempotency key of the charge. */
  key: string;
  /** A charge of the period can exist at the provider only since this time. */
  dueAt: Date;
}

/** Reads the facts of a period's current charge. @throws RowMissing */
export async function readChargeFacts(pledgeId: string, n: number): Promise<ChargeFacts> {
  const period = await loadIfExists(PledgePeriod, { pledge_id: pledgeId, n });
  if (!period) throw new RowMissing('There is no such period.');
  return { donationId: period.donation_id, key: chargeKeyOf(pledgeId, n, period.tries), dueAt: period.due_at };
}

/** Loads the attempt of a charge with the kept card of its pledge. @throws RowMissing */
export async function loadCharge(pledgeId: string, attemptId: string): Promise<Attempt> {
  const pledge = await loadIfExists(RecurringPledge, pledgeId);
  if (!pledge) throw new RowMissing('There is no such pledge.');
  return { ...(await loadAttempt(attemptId)), paymentMethod: cardOf(pledge) };
}
