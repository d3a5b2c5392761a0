/** Every kind of process over rows that do not exist: it ends with an outcome. */
import { randomUUID } from 'node:crypto';
import { processId } from '../../api/processes/id.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { PROCESSES, type ProcessContract } from '../../workflows/contracts/index.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import type { Client } from '../support/api.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aPlatformAdmin } from '../support/world.js';

let platform: Platform;
let admin: Client;

beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.client(await aPlatformAdmin());
});
afterAll(() => platform.close());

async function started(contract: ProcessContract): Promise<string> {
  const organizationId = contract.seenBy === 'platform' ? null : randomUUID();
  const options = startOptions(contract, { ...contract.example(randomUUID), organizationId }, null);
  await temporal().workflow.start(contract.name, { ...options, taskQueue: queueName(contract.taskQueue) });
  return processId(options.workflowId);
}

test.each(PROCESSES.map((contract) => [contract.name, contract] as const))(
  '%s over missing rows ends with a named outcome, and offers no action',
  async (_name, contract) => {
    const id = await started(contract);
    const story = await eventually(
      async () => (await admin.get(`/api/processes/${id}/`)).body,
      ({ status }) => status !== 'running',
    );
    const [retry, cancel] = story.actions;
    expect([retry.safe, cancel.safe, story.stuck, story.waiting_for]).toEqual([false, false, false, null]);
    if (story.status === 'completed') expect(Object.keys(contract.ends)).toContain(story.stage);
    else
      expect(story).toMatchObject({
        status: 'failed',
        stage: 'row_missing',
        stages: expect.arrayContaining([expect.objectContaining({ stage: 'row_missing' })]),
        last_failure: { code: 'row_missing', detail: 'The subject of this process has been deleted.' },
        actions: [{ reason: 'The subject of this process has been deleted. There is nothing to retry.' }, {}],
      });
    expect((await admin.post(`/api/processes/${id}/retry/`)).body.code).toBe('process_finished');
  },
);
