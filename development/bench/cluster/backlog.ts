/**
 * A backlog of payments: requested while no worker runs, then drained by some workers. One organization's payments are
 * requested first, another's last.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Draft } from '../drafts.js';
import { until } from '../until.js';
import { sendAll } from './payments.js';

const CONCURRENCY = 48;
/** How long to wait until Temporal has received all requested payments. */
const SETTLE_MS = 1_000;
const POLLING = { pollMs: 500, patienceMs: 1_200_000, otherwise: 'The backlog was not drained in time.' };

interface Backlog {
  owner: Client;
  /** Address of an API with a short PAY_WAIT_SECONDS. */
  api: string;
  /** Drafts of an organization with very many payments. */
  many: Draft[];
  /** Drafts of another organization, requested last. */
  few: Draft[];
  /** Starts the workers that drain the backlog. */
  startWorkers: () => Promise<void>;
}

export interface Drained {
  /** Payments per second, from the first settlement to the last. */
  perSecond: number;
  /**
   * Number of payments of `many` that were settled before the last payment of `few`, although `few` was requested last.
   */
  before: number;
}

/**
 * Requests all payments while no worker runs, then starts the workers and waits until all payments are settled.
 * @throws Error when a payment is not settled in time
 */
export async function drain({ owner, api, many, few, startWorkers }: Backlog): Promise<Drained> {
  for (const drafts of [many, few]) {
    const answers = await sendAll(
      [api],
      drafts.map(({ pay }) => pay),
      CONCURRENCY,
    );
    if (answers.get(409) !== drafts.length)
      throw new Error(`The backlog was answered ${JSON.stringify([...answers])}.`);
  }
  await sleep(SETTLE_MS);
  await startWorkers();
  const ids = [many, few].map((drafts) => drafts.map(({ id }) => id));
  return until(async () => {
    const { rows } = await owner.query<Drained & { unsettled: number }>(
      `WITH settled AS (SELECT id, settled_at AS at FROM chapter_remittances WHERE id = ANY ($1::uuid[] || $2::uuid[]))
       SELECT (count(*) FILTER (WHERE at IS NULL))::int AS unsettled,
              coalesce(count(*) / nullif(extract(epoch FROM max(at) - min(at)), 0), 0)::float AS "perSecond",
              (count(*) FILTER (WHERE id = ANY ($1::uuid[]) AND at < (SELECT max(at) FROM settled WHERE id = ANY ($2::uuid[]))))::int AS before
         FROM settled`,
      ids,
    );
    const [{ unsettled, ...drained } = { unsettled: 1, perSecond: 0, before: 0 }] = rows;
    return unsettled === 0 ? drained : null;
  }, POLLING);
}
