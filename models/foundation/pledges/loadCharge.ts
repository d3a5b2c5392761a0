import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { type Attempt, loadAttempt } from '../../finances/attempts/attempt.js';
import { chargeKeyOf } from './chargeKey.js';
import { cardOf } from './keptCard.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';

/** A charge of a period when its step begins. */
export interface ChargeFacts {
  donationId: string;
  /** Idempotency key of the charge. */
  key: string;
  /** A charge of the period can exist at the provider only since this time. */
  dueAt: Date;
  /** Whether the pledge was paused or cancelled, so that the charge must not be opened. */
  isWithdrawn: boolean;
}

/** Reads the facts of a period's current charge. @throws RowMissing */
export async function readChargeFacts(pledgeId: string, n: number): Promise<ChargeFacts> {
  const period = await loadIfExists(PledgePeriod, { pledge_id: pledgeId, n });
  if (!period) throw new RowMissing('There is no such period.');
  const { donation_id, tries, due_at, status } = period;
  const key = chargeKeyOf(pledgeId, n, tries);
  return { donationId: donation_id, key, dueAt: due_at, isWithdrawn: status === 'missed' };
}

/** Reports whether a captured charge is recorded. */
export const isRecorded = async (processorId: string, intentId: string): Promise<boolean> =>
  (await firstRow(
    'SELECT FROM processor_captures WHERE organization_id = $1 AND processor_id = $2 AND intent_id = $3',
    [currentOrganization(), processorId, intentId],
  )) !== null;

/** Loads the attempt of a charge with the kept card of its pledge. @throws RowMissing */
export async function loadCharge(pledgeId: string, attemptId: string): Promise<Attempt> {
  const pledge = await loadIfExists(RecurringPledge, pledgeId);
  if (!pledge) throw new RowMissing('There is no such pledge.');
  return { ...(await loadAttempt(attemptId)), paymentMethod: cardOf(pledge) };
}
