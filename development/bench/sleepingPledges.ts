/**
 * Sleeping pledges after their workflows were lost, for example because a backup of the database was restored alone: how
 * long it takes to start all of them again, and the memory that they add to a worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Check, check } from './audience.js';
import type { Generator } from './generator.js';
import { measureWork } from './memory.js';
import { cancelPledges, insertPledges } from './pledges.js';

export const SLEEPING = 'sleeping pledges';

interface Setup {
  owner: Client;
  /** Number of pledges. */
  pledges: number;
  /** Starts the worker that follows pledges. @returns its process id */
  startWorker: () => Promise<number>;
  stopWorker: () => Promise<void>;
  generator: Generator;
}

/**
 * Number of pledges that warm the worker up: more than the workflows that it keeps in memory, so that the difference is
 * that of sleeping pledges and not of a new process.
 */
const WARM_UP = 500;
/** Time for memory use to settle. */
const REST_MS = 10_000;

export async function measureSleepingPledges(setup: Setup): Promise<Check[]> {
  const { owner, pledges, startWorker, stopWorker, generator } = setup;
  await cancelPledges(owner);
  const pid = await startWorker();
  const recover = (sleeping: number) => generator.run({ kind: 'recover', sleeping, connections: 1 });
  const atRest = async () => {
    await sleep(REST_MS);
    return (await measureWork(pid, () => Promise.resolve())).megabytes;
  };
  await insertPledges(owner, 'sleeping', WARM_UP);
  await recover(WARM_UP);
  const before = await atRest();
  await insertPledges(owner, 'sleeping', pledges);
  const { seconds } = await measureWork(pid, () => recover(WARM_UP + pledges));
  const added = (await atRest()) - before;
  await stopWorker();
  return [
    check(`processes of ${pledges} sleeping pledges started again`, seconds, 600, 's'),
    check('memory that sleeping pledges add to a worker', added, 50, 'MB'),
  ];
}
