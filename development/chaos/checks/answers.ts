/** What the platform told its clients has to be so. */
import type { Books } from '../books.js';
import { type Diary, type Promised, PROMISES } from '../load/diary.js';
import type { Kill } from '../killer.js';
import type { Finding } from './finding.js';

/** SQL for the ids in $1 for which the promise was broken. */
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
  refund_decided: `NOT EXISTS (SELECT 1 FROM refund_requests q WHERE q.id = given.id AND q.status <> 'pending')`,
};

/** Every answer that said something for good, against the rows. */
export async function keptPromises(books: Books, diary: Diary): Promise<Finding> {
  const violations: Finding['violations'] = [];
  for (const what of PROMISES) {
    const ids = diary.promises.filter((promise) => promise.what === what).map(({ id }) => id);
    const broken = await books.read(`SELECT given.id FROM unnest($1::uuid[]) AS given(id) WHERE ${BROKEN[what]}`, [
      ids,
    ]);
    violations.push(...broken.map(({ id }) => ({ answered: what, id })));
  }
  return { name: 'what was answered for good is so', examined: diary.promises.length, violations };
}

/** A read at a replica that lags must not show what was before. */
export function sawOwnWrites({ shown }: Diary): Finding {
  return {
    name: 'whoever was told that it is paid saw it paid',
    examined: shown.length,
    violations: shown.filter(({ status }) => status === 'draft' || status === 'processing'),
  };
}

/** No outage excuses a 500. */
export function noInternalErrors(diary: Diary): Finding {
  const examined = [...diary.answers.values()]
    .flatMap((answers) => [...answers.values()])
    .reduce((sum, n) => sum + n, 0);
  return {
    name: 'no request was answered with an error of ours',
    examined,
    violations: diary.faults.map((fault) => ({ ...fault })),
  };
}

const SERVED_WITHIN_SECONDS = 30;

/** Where there are two of each, payments go on whatever dies. */
export function servedSoon(kills: readonly Kill[]): Finding {
  // What dies while nobody pays yet prolongs that; the last of those is judged.
  const isLast = ({ at, servedAfterSeconds }: Kill, n: number) =>
    (kills[n + 1]?.at ?? Infinity) > at + (servedAfterSeconds ?? 0);
  const slow = kills
    .filter(isLast)
    .filter(({ servedAfterSeconds }) => (servedAfterSeconds ?? 0) > SERVED_WITHIN_SECONDS);
  return {
    name: `a payment was asked for and made within ${SERVED_WITHIN_SECONDS} s of a kill, or of the next one that came before it`,
    // After the last ones nobody may have paid any more.
    examined: kills.filter(({ servedAfterSeconds }) => servedAfterSeconds !== null).length,
    violations: slow.map(({ number, part, servedAfterSeconds }) => ({ number, part, servedAfterSeconds })),
  };
}

/** Where nobody paid, nothing was put to the test. */
export async function somethingHappened(books: Books): Promise<Finding> {
  const examined = await books.count('chapter_remittances WHERE settled_at IS NOT NULL');
  return {
    name: 'there is something to judge',
    examined,
    violations: examined > 0 ? [] : [{ remittances_settled: 0 }],
  };
}
