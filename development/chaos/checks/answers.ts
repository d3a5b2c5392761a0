/** Checks that what the platform stated in its responses to clients was true. */
import type { Books } from '../books.js';
import { type Diary, type Promised, PROMISES } from '../load/diary.js';
import type { Kill } from '../killer.js';
import type { Finding } from './finding.js';

/** For each kind of promise, the SQL condition under which the promise about `given.id` was broken. */
const BROKEN: Record<Promised, string> = {
  created: `NOT EXISTS (SELECT 1 FROM chapter_remittances r WHERE r.id = given.id)`,
  settled: `NOT EXISTS (SELECT 1 FROM chapter_remittances r WHERE r.id = given.id AND r.settled_at IS NOT NULL)`,
  flagged: `NOT EXISTS (SELECT 1 FROM chapter_remittances r WHERE r.id = given.id AND r.reconciliation_flagged_at IS NOT NULL)`,
  resolved: `NOT EXISTS (SELECT 1 FROM chapter_remittances r WHERE r.id = given.id AND r.resolved_at IS NOT NULL)`,
  nothing_charged: `EXISTS (SELECT 1 FROM processor_captures c WHERE c.remittance_id = given.id)`,
  voided: `NOT EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.id = given.id AND i.status = 'void')`,
  page_opened: `NOT EXISTS (SELECT 1 FROM payment_attempts t WHERE t.id = given.id)`,
  paid_on_page: `NOT EXISTS (SELECT 1 FROM payment_attempts t JOIN payment_records p ON p.intent_id = t.intent_id
    WHERE t.id = given.id AND t.status = 'succeeded' AND p.status = 'succeeded')`,
  refund_reserved: `NOT EXISTS (SELECT 1 FROM refunds r WHERE r.id = given.id)`,
  refunded: `NOT EXISTS (SELECT 1 FROM refunds r WHERE r.id = given.id AND r.status = 'succeeded')`,
  gift_opened: `NOT EXISTS (SELECT 1 FROM donations d WHERE d.id = given.id)`,
  gift_paid: `NOT EXISTS (SELECT 1 FROM processor_captures c WHERE c.donation_id = given.id)
    OR EXISTS (SELECT 1 FROM donations d WHERE d.id = given.id AND d.charged_at IS NULL AND NOT d.under_review AND d.failure_code <> 'refunded')`,
  gift_refund_reserved: `NOT EXISTS (SELECT 1 FROM capture_resolutions r WHERE r.id = given.id)`,
  gift_refunded: `NOT EXISTS (SELECT 1 FROM capture_resolutions r WHERE r.id = given.id AND r.status = 'done')`,
  pledge_cancelled: `NOT EXISTS (SELECT 1 FROM recurring_pledges g WHERE g.id = given.id AND g.status = 'cancelled')`,
  pledge_not_charged: `EXISTS (SELECT 1 FROM recurring_pledges g JOIN pledge_periods p ON p.pledge_id = g.id
    WHERE g.id = given.id AND p.status = 'paid' AND p.closed_at > g.cancelled_at)`,
  refund_decided: `NOT EXISTS (SELECT 1 FROM refund_requests q WHERE q.id = given.id AND q.status <> 'pending')`,
};

/** Compares every final answer with the rows in the database. */
export async function keptPromises(books: Books, diary: Diary): Promise<Finding> {
  const violations: Finding['violations'] = [];
  for (const what of PROMISES) {
    const ids = diary.promises.filter((promise) => promise.what === what).map(({ id }) => id);
    const broken = await books.read(`SELECT given.id FROM unnest($1::uuid[]) AS given(id) WHERE ${BROKEN[what]}`, [
      ids,
    ]);
    violations.push(...broken.map(({ id }) => ({ answered: what, id })));
  }
  return { name: 'every final answer is true', examined: diary.promises.length, violations };
}

/** Checks that no read after a payment came from a lagging replica. */
export function sawOwnWrites({ shown }: Diary): Finding {
  return {
    name: 'a client that got 200 for a payment then reads it as paid',
    examined: shown.length,
    violations: shown.filter(({ status }) => status === 'draft' || status === 'processing'),
  };
}

/** Checks that no request got a 500, which is always a bug: an outage does not excuse it. */
export function noInternalErrors(diary: Diary): Finding {
  const examined = [...diary.answers.values()]
    .flatMap((answers) => [...answers.values()])
    .reduce((sum, n) => sum + n, 0);
  return {
    name: 'no request was answered with an internal error',
    examined,
    violations: diary.faults.map((fault) => ({ ...fault })),
  };
}

const SERVED_WITHIN_SECONDS = 30;

/** Checks that payments continue after a kill when each part has two instances. */
export function servedSoon(kills: readonly Kill[]): Finding {
  // If another kill happens before the next payment, it prolongs the same outage. So only the last kill of each outage
  // is judged.
  const isLast = ({ at, servedAfterSeconds }: Kill, n: number) =>
    (kills[n + 1]?.at ?? Infinity) > at + (servedAfterSeconds ?? 0);
  const slow = kills
    .filter(isLast)
    .filter(({ servedAfterSeconds }) => (servedAfterSeconds ?? 0) > SERVED_WITHIN_SECONDS);
  return {
    name: `a new payment succeeds within ${SERVED_WITHIN_SECONDS} s of a kill, or of a later kill in the same outage`,
    // Kills without a later payment are not examined: after the last kills of a run there may be none.
    examined: kills.filter(({ servedAfterSeconds }) => servedAfterSeconds !== null).length,
    violations: slow.map(({ number, part, servedAfterSeconds }) => ({ number, part, servedAfterSeconds })),
  };
}

/** Fails when there was no payment, because then the run tested nothing. */
export async function somethingHappened(books: Books): Promise<Finding> {
  const examined = await books.count('chapter_remittances WHERE settled_at IS NOT NULL');
  return {
    name: 'at least one remittance was settled',
    examined,
    violations: examined > 0 ? [] : [{ remittances_settled: 0 }],
  };
}
