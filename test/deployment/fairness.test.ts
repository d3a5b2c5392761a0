/** A backlog of one organization does not delay the processes of others; measured on the real server. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { config } from '../../config.js';
import { closeTemporal, queueName, temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { applyProcessorEvent, type ProcessContract, type TaskQueue } from '../../workflows/contracts/index.js';
import { eventually } from '../support/platform.js';

const BUSY = uuidv7();
const QUIET = uuidv7();

let connection: NativeConnection;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  await registerSearchAttributes();
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
});
afterAll(async () => {
  await connection.close();
  await closeTemporal();
});

/** A real process with one step, on a queue that no other worker serves. */
const contractOn = (queue: string, priority = 2) =>
  ({ ...applyProcessorEvent, taskQueue: queue as TaskQueue, priority }) as unknown as ProcessContract<never>;

/** Queues processes of one organization. @returns their workflow ids */
async function queue(contract: ProcessContract<never>, organizationId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 20) {
    const some = Array.from({ length: Math.min(20, count - n) }, () => {
      const input = { organizationId, webhookEventId: uuidv7() };
      const workflowId = contract.workflowId(input as never);
      ids.push(workflowId);
      return startMessage(contract, { organizationId, input, workflowId, signal: null, requestId: null });
    });
    await Promise.all(some);
  }
  return ids;
}

/** Serves the workflow tasks of a queue but not its steps, until every step waits. @returns when each process was first served */
async function serveProcesses(taskQueue: string, workflowIds: string[]): Promise<Map<string, bigint>> {
  const worker = await Worker.create({
    connection,
    taskQueue: queueName(taskQueue),
    workflowBundle: { codePath: config.WORKFLOW_BUNDLE as string },
    sinks: { processes: { ended: { fn: () => undefined } } },
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentWorkflowTaskExecutions: 2,
  });
  return worker.runUntil(async () => {
    const served = new Map<string, bigint>();
    for (const workflowId of workflowIds) {
      const events = await eventually(
        async () => (await temporal().workflow.getHandle(workflowId).fetchHistory()).events ?? [],
        (all) => all.some((event) => event.activityTaskScheduledEventAttributes),
        60,
      );
      const time = events.find((event) => event.workflowTaskStartedEventAttributes)?.eventTime;
      served.set(workflowId, BigInt(String(time?.seconds ?? 0)) * 1_000_000_000n + BigInt(time?.nanos ?? 0));
    }
    return served;
  });
}

const inOrder = (served: Map<string, bigint>): string[] =>
  [...served].sort(([, one], [, two]) => (one < two ? -1 : 1)).map(([id]) => id);

/** Serves the steps of a queue one at a time. @returns the organization of each step, in order */
async function serveSteps(taskQueue: string, count: number): Promise<string[]> {
  const turns: string[] = [];
  const worker = await Worker.create({
    connection,
    taskQueue: queueName(taskQueue),
    activities: {
      applyStoredEvent: async ({ organizationId }: { organizationId: string }) => void turns.push(organizationId),
    },
    maxConcurrentActivityTaskPolls: 1,
    maxConcurrentActivityTaskExecutions: 1,
  });
  await worker.runUntil(() =>
    eventually(
      async () => turns.length,
      (length) => length === count,
      60,
    ),
  );
  return turns;
}

/** Counts the tasks of the others that were served before this organization's last task. */
const othersBeforeTheLast = (turns: string[], organizationId: string): number =>
  turns.slice(0, turns.lastIndexOf(organizationId)).filter((turn) => turn !== organizationId).length;

test("one organization's 300 queued tasks delay another's 10 by at most 30 dispatches, processes and steps alike", async () => {
  const contract = contractOn('fair');
  const busy = await queue(contract, BUSY, 300);
  const quiet = await queue(contract, QUIET, 10);

  const served = await serveProcesses('fair', [...busy, ...quiet]);
  const order = inOrder(served).map((id) => (quiet.includes(id) ? QUIET : BUSY));
  expect(othersBeforeTheLast(order, QUIET)).toBeLessThanOrEqual(30);

  const turns = await serveSteps('fair', 310);
  expect(othersBeforeTheLast(turns, QUIET)).toBeLessThanOrEqual(30);
});

test('urgent processes are served before others that were queued earlier', async () => {
  const routine = await queue(contractOn('urgency', 4), BUSY, 30);
  const urgent = await queue(contractOn('urgency', 1), QUIET, 5);
  await serveProcesses('urgency', [...routine, ...urgent]);
  const turns = await serveSteps('urgency', 35);
  expect(othersBeforeTheLast(turns, QUIET)).toBe(0);
});

test('processes of one organization are served in the order of their arrival', async () => {
  const earlier = await queue(contractOn('order'), BUSY, 30);
  const later = await queue(contractOn('order'), BUSY, 5);
  const served = await serveProcesses('order', [...earlier, ...later]);
  const order = inOrder(served).map((id) => (later.includes(id) ? 'later' : 'earlier'));
  expect(othersBeforeTheLast(order, 'later')).toBe(30);
});
