/** Runs `recover-processes` once, and waits until the processes of pledges sleep. */
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { recurringPledge } from '../../workflows/contracts/index.js';
import { recoverProcesses } from '../../workflows/contracts/recoverProcesses.js';
import { until } from './until.js';

const POLLING = {
  pollMs: 2_000,
  patienceMs: 1_200_000,
  otherwise: 'The processes of pledges were not started in time.',
};

/** @param sleeping number of pledges that sleep in the end */
export async function recoverPledges(sleeping: number): Promise<void> {
  const { workflow } = temporal();
  const taskQueue = queueName(recoverProcesses.taskQueue);
  await workflow.execute(recoverProcesses.name, { taskQueue, workflowId: `bench/${crypto.randomUUID()}`, args: [] });
  const asleep = `WorkflowType = '${recurringPledge.name}' AND ExecutionStatus = 'Running' AND Stage = 'waiting'`;
  await until(async () => ((await workflow.count(asleep)).count >= sleeping ? true : null), POLLING);
}
