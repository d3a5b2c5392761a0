import { proxyActivities } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(): Promise<void> }>({ startToCloseTimeout: '45 seconds' });

/** The least that a process with one step costs. */
export async function oneStep(): Promise<void> {
  await step();
}
