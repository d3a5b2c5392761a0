/** Applies the end of attempts that took no money: retries, missed periods, and cancellations because of them. */
import { changeRow, computed } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { mayChargeAgain } from '../../finances/payment-processors/providers.js';
import type { Provider } from '../../finances/payment-processors/vocabulary.js';
import { chargeAttemptId } from './chargeKey.js';
import { retireCard } from './keptCard.js';
import { lockPledgeForStep, wakeCharge, wakePledge } from './lockPledge.js';
import { cancelPledge, missPeriod } from './movePledge.js';
import { requestNotice } from './notices.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';

/** Days after the first charge of a period on which a declined charge is repeated. */
const RETRY_AFTER_DAYS = [3, 7, 14];
/** If the provider did not answer within a day, the period is charged again after this time. */
const SECONDS_AFTER_SILENCE = 3_600;

/** A gift whose attempt ended without a payment. */
interface EndedTry {
  donationId: string;
  attemptId: string;
  failureCode: string | null;
}

/**
 * Applies the end of an attempt to the pledge of its gift: the pledge becomes past due, and the next charge gets its
 * time, or the period is missed. The pledge and the gift are locked. A gift without a pledge is not affected.
 */
export async function followEndedTry({ donationId, attemptId, failureCode }: EndedTry): Promise<void> {
  const period = await loadIfExists(PledgePeriod, { donation_id: donationId });
  if (!period || period.n === 0) return;
  const pledge = await lockPledgeForStep(period.pledge_id);
  // A page that the donor left says nothing about the kept card. The process may charge that again.
  if (attemptId !== chargeAttemptId(pledge.id, period.n, period.tries)) return wakeCharge(period);
  if (period.status === 'open') await followDecline(pledge, period, failureCode ?? 'card_declined');
  await wakePledge(pledge.id);
}

async function followDecline(pledge: RecurringPledge, period: PledgePeriod, failureCode: string): Promise<void> {
  if (pledge.status === 'paused' || pledge.status === 'cancelled') return missPeriod(period, 'withdrawn');
  if (failureCode === 'gateway_unavailable') {
    const later = computed(`now() + interval '${SECONDS_AFTER_SILENCE} seconds'`);
    await changeRow(PledgePeriod, period.id, { confirming_at: null, next_try_at: later });
    return;
  }
  const days = RETRY_AFTER_DAYS[period.declines];
  const isRefusedForGood = !mayChargeAgain(await readProvider(pledge), failureCode);
  const isRepeated = days !== undefined && !isRefusedForGood;
  await changeRow(PledgePeriod, period.id, {
    declines: period.declines + 1,
    confirming_at: null,
    next_try_at: isRepeated ? computed(`created_at + interval '${days} days'`) : null,
  });
  if (failureCode === 'card_gone') {
    await missPeriod(period, 'declined');
    await cancelPledge(pledge.id, { by: 'process', reason: 'card_gone' });
    return;
  }
  if (isRefusedForGood) await retireCard(pledge);
  if (days === undefined) return missDeclined(pledge, period);
  if (pledge.status === 'active') await changeRow(RecurringPledge, pledge.id, { status: 'past_due' });
  await requestNotice(pledge.id, 'declined', period.n);
}

const readProvider = async ({ processor_id }: RecurringPledge): Promise<Provider> =>
  (
    await oneRow<{ provider: Provider }>(
      'SELECT provider FROM org_payment_processors WHERE organization_id = $1 AND id = $2',
      [currentOrganization(), processor_id],
    )
  ).provider;

/** Misses a period whose charges were all declined. The second missed period in a row cancels the pledge. */
export async function missDeclined(pledge: RecurringPledge, period: PledgePeriod): Promise<void> {
  const missed = pledge.missed_in_a_row + 1;
  await missPeriod(period, 'declined');
  await changeRow(RecurringPledge, pledge.id, { missed_in_a_row: missed });
  const isLast = missed >= (pledge.recurring_interval === 'annually' ? 1 : 2);
  if (isLast) await cancelPledge(pledge.id, { by: 'process', reason: 'payments_missed' });
  else await wakePledge(pledge.id);
}
