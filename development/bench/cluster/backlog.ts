/** A backlog of payments: asked for while no worker runs, then drained by some; one organization's are asked for first, another's last. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Draft } from '../drafts.js';
import { until } from '../until.js';
import { askAll } from './payments.js';

const ASKING_AT_A_TIME = 48;
/** All that was asked for is with Temporal by then. */
const SETTLES_MS = 1_000;
const PATIENCE = { pollMs: 500, patienceMs: 1_200_000, otherwise: 'The backlog is not drained.' };

interface Backlog {
  owner: Client;
  /** Of an API that does not wait for what it starts. */
  api: string;
  /** Of an organization that has very many. */
  many: Draft[];
  /** Of another one, asked for last. */
  few: Draft[];
  /** Starts those that drain it. */
  startWorkers: () => Promise<void>;
}

export interface Drained {
  /** Payments a second, from the first that was settled to the last. */
  perSecond: number;
  /** How many of the many were settled before the last of the few. */
  before: number;
}

/** @throws Error when a payment ends otherwise than settled */
export async function drain({ owner, api, many, few, startWorkers }: Backlog): Promise<Drained> {
  for (const drafts of [many, few]) {
    const answers = await askAll(
      [api],
      drafts.map(({ pay }) => pay),
      ASKING_AT_A_TIME,
    );
    if (answers.get(409) !== drafts.length)
      throw new Error(`The backlog was answered ${JSON.stringify([...answers])}.`);
  }
  await sleep(SETTLES_MS);
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
  }, PATIENCE);
}
