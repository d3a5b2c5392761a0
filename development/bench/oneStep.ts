import { proxyActivities } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(): Promise<void> }>({ startToCloseTimeout: '45 seconds' });

/** A workflow with one empty step: the minimum cost of a workflow with a step. */
export async function oneStep(): Promise<void> {
  await step();
}
