/** The number of threads in which the workers of a process run workflows: each thread loads Temporal's protocol and all workflows. */
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm';
import { createWorkers } from '../../activities/worker.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { sequelize } from '../../models/database/connection.js';
import type { TaskQueue } from '../../workflows/contracts/index.js';

beforeAll(() => registerSearchAttributes());
afterAll(async () => {
  await closeTemporal();
  await sequelize.close();
});

/** Runs workers for a moment. @returns the threads that they used */
async function threadsOf(queues?: readonly TaskQueue[]): Promise<unknown[]> {
  const create = jest.spyOn(ThreadedVMWorkflowCreator, 'create');
  const workers = await createWorkers(queues);
  const running = workers.run();
  workers.shutdown();
  await running;
  const threads = await Promise.all(create.mock.results.map(({ value }) => value as Promise<unknown>));
  create.mockRestore();
  return threads;
}

test('payments run in a thread of their own, and other queues share one', async () => {
  expect(await threadsOf()).toHaveLength(2);
  expect(await threadsOf(['core', 'notify', 'bulk'])).toHaveLength(1);
  expect(await threadsOf(['payments'])).toHaveLength(1);
});

test('in tests, later workers reuse the threads of earlier ones', async () => {
  const before = await threadsOf();
  expect(new Set([...before, ...(await threadsOf())]).size).toBe(2);
});
