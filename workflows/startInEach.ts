import { type ActivityOptions, continueAsNew } from '@temporalio/workflow';
import type { ProcessContract, ScheduledProcess } from './contracts/process.js';
import type { ContractInput } from './contracts/startOptions.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

/** Options of the step that lists the organizations. */
export const LIST_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Number of batches until the workflow continues as new, so that the history of a run stays short however many
 * organizations there are.
 */
const BATCHES_PER_RUN = 20;

/**
 * Starts a process for each organization that `list` returns, batch by batch, and continues as new after some batches.
 * @param schedule contract of the calling workflow
 * @param after cursor of an earlier run
 */
export async function startInEach<Contract extends ProcessContract>(
  schedule: ScheduledProcess<'listed'>,
  contract: Contract,
  list: (after: string | null) => Promise<{ organizations: ContractInput<Contract>[]; next: string | null }>,
  after: string | null,
): Promise<'listed'> {
  stagesOf(schedule)('listing');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    const { organizations, next } = await list(cursor);
    await Promise.all(organizations.map((input) => startChildProcess(contract, input)));
    if (next === null) return 'listed';
    cursor = next;
  }
  return continueAsNew(cursor);
}
