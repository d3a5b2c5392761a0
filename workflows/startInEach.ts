import type { ProcessContract } from './contracts/process.js';
import type { ToldTo } from './contracts/startOptions.js';
import { startChildProcess } from './startChildProcess.js';

/** Bounds a run's history, however many organizations there are. */
const PAGES_PER_RUN = 20;

/** Starts a process for each organization that a step lists, batch by batch. */
export async function startInEach<Contract extends ProcessContract>(
  contract: Contract,
  list: (after: string | null) => Promise<{ organizations: ToldTo<Contract>[]; next: string | null }>,
  after: string | null,
): Promise<string | null> {
  let cursor = after;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const { organizations, next } = await list(cursor);
    await Promise.all(organizations.map((input) => startChildProcess(contract, input)));
    if (next === null) return null;
    cursor = next;
  }
  return cursor;
}
