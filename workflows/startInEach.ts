import type { ProcessContract } from './contracts/process.js';
import type { ContractInput } from './contracts/startOptions.js';
import { startChildProcess } from './startChildProcess.js';

/** Bounds a run's history, however many organizations there are. */
const BATCHES_PER_RUN = 20;

/**
 * Starts a process for each organization that `list` returns, batch by batch. Returns the cursor for the next run; null
 * after the last batch.
 */
export async function startInEach<Contract extends ProcessContract>(
  contract: Contract,
  list: (after: string | null) => Promise<{ organizations: ContractInput<Contract>[]; next: string | null }>,
  after: string | null,
): Promise<string | null> {
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    const { organizations, next } = await list(cursor);
    await Promise.all(organizations.map((input) => startChildProcess(contract, input)));
    if (next === null) return null;
    cursor = next;
  }
  return cursor;
}
