/**
 * Sleeping pledges after their workflows were lost, for example because a backup of the database was restored alone: how
 * long it takes to start all of them again, the memory that they add to a worker, and the time that they add to the list
 * of stuck processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Check, check } from './audience.js';
import type { Generator } from './generator.js';
import { measureWork } from './memory.js';
import { cancelPledges, insertPledges } from './pledges.js';
import { median } from './rounds.js';
import { ask, signIn } from './world.js';

export const SLEEPING = 'sleeping pledges';

interface Setup {
  owner: Client;
  api: string;
  /** Address of an organization's admin. */
  admin: string;
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
  const { owner, api, admin, pledges, startWorker, stopWorker, generator } = setup;
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
  const listedBefore = await listStuck(api, admin);
  await insertPledges(owner, 'sleeping', pledges);
  const { seconds } = await measureWork(pid, () => recover(WARM_UP + pledges));
  const added = (await atRest()) - before;
  const listed = await listStuck(api, admin);
  await stopWorker();
  return [
    check(`processes of ${pledges} sleeping pledges started again`, seconds, 600, 's'),
    check('memory that sleeping pledges add to a worker', added, 50, 'MB'),
    check(
      'list of stuck processes beside all sleeping ones, median, compared with before',
      listed / listedBefore,
      2,
      'x',
    ),
  ];
}

/** Number of times that the list of stuck processes is read. */
const READS = 50;

/** Reads the list of stuck processes again and again. @returns median milliseconds */
async function listStuck(api: string, admin: string): Promise<number> {
  const headers = await signIn(api, admin);
  const took: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    const begun = performance.now();
    await ask(api, { method: 'GET', path: '/api/processes/?stuck=true', headers });
    took.push(performance.now() - begun);
  }
  return median(took);
}
