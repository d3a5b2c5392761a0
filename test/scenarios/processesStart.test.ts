/** Every kind of process, started as in production, and found by every attribute that operators filter by. */
import { randomUUID } from 'node:crypto';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { createWorkers } from '../../activities/worker.js';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { dispatchWritten, enqueue } from '../../models/database/outbox.js';
import { inTenantIfAny } from '../../models/database/tenancy.js';
import {
  markOverdue,
  PROCESSES,
  type ProcessContract,
  TASK_QUEUES,
  type TaskQueue,
} from '../../workflows/contracts/index.js';
import { markOverdueEverywhere } from '../../workflows/contracts/markOverdue.js';
import type { ProcessInput } from '../../workflows/contracts/process.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/searchAttributes.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;

// Without a worker, so that every process stays as it was started.
beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld();
});
afterAll(async () => {
  await deleteSchedules();
  const queues = TASK_QUEUES.map((queue) => `'${config.TEMPORAL_TASK_QUEUE_PREFIX}${queue}'`);
  for (const workflowId of await found(`TaskQueue IN (${queues.join(', ')}) AND ExecutionStatus = 'Running'`))
    await temporal().workflow.getHandle(workflowId).terminate();
  await platform.close();
});

interface Expected {
  workflowId: string;
  attributes: Record<string, string>;
  summary: string;
  priority: object;
  taskQueue: string;
}

/** Looks a process up by each of its attributes, and compares its summary, priority and queue. */
async function expectFound({ workflowId, attributes, summary, priority, taskQueue }: Expected): Promise<void> {
  for (const [name, value] of Object.entries(attributes)) {
    const query = `${name} = '${value}' AND WorkflowId = '${workflowId}'`;
    const count = await eventually(
      async () => (await temporal().workflow.count(query)).count,
      (found) => found > 0,
    );
    expect([query, count]).toEqual([query, 1]);
  }
  const description = await temporal().workflow.getHandle(workflowId).describe();
  const carried = [...description.typedSearchAttributes.getAll()].map(({ key }) => key.name);
  expect(carried.filter((name) => SEARCH_ATTRIBUTES.some((key) => key.name === name)).toSorted()).toEqual(
    Object.keys(attributes).toSorted(),
  );
  expect(await description.staticSummary()).toBe(summary);
  expect(description.priority).toMatchObject(priority);
  expect(description.taskQueue).toBe(config.TEMPORAL_TASK_QUEUE_PREFIX + taskQueue);
}

const attributesOf = (contract: ProcessContract, input: ProcessInput) => ({
  ...(input.organizationId === null ? {} : { OrganizationId: input.organizationId }),
  ProcessKind: contract.kind,
  Stage: 'started',
  SubjectId: Object.entries(input).find(([name]) => name === contract.subject.id)?.[1] as string,
  ...(contract.chapterId(input) === null ? {} : { ChapterId: contract.chapterId(input) as string }),
});

test.each(PROCESSES.map((contract) => [contract.name, contract] as const))(
  '%s that is started from the outbox is found by each of its attributes',
  async (_name, contract) => {
    const given = contract.example(randomUUID);
    const requestId = `request-${randomUUID()}`;
    let written: string[] = [];
    const options = {
      origin: { userId: null, ipAddress: null, requestId },
      afterCommit: (ids: string[]) => (written = ids),
    };
    const input = { ...given, organizationId: contract.seenBy === 'platform' ? null : world.organizationId };
    const workflowId = await inTenantIfAny(input.organizationId, () => enqueue(contract, given), options);
    await dispatchWritten(written, startMessage);
    await expectFound({
      workflowId,
      attributes: { ...attributesOf(contract, input), RequestId: requestId },
      summary: contract.summary,
      priority: { priorityKey: contract.priority, fairnessKey: input.organizationId ?? 'platform' },
      taskQueue: contract.taskQueue,
    });
  },
);

test.each(SCHEDULES.map((schedule) => [schedule.id, schedule] as const))(
  'a process of the schedule %s is found, and so are the processes that it starts',
  async (id, { process }) => {
    await restingSchedules();
    await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: -2 });
    const handle = temporal().schedule.getHandle(scheduleId(id));
    await handle.trigger();
    const { info } = await eventually(
      () => handle.describe(),
      (schedule) => schedule.info.recentActions.length > 0,
    );
    const { workflow } = info.recentActions[0]?.action ?? {};
    await expectFound({
      workflowId: (workflow as { workflowId: string }).workflowId,
      attributes: { ProcessKind: process.kind, Stage: 'started' },
      summary: process.summary,
      priority: { priorityKey: process.priority, fairnessKey: 'platform' },
      taskQueue: process.taskQueue,
    });
    if (process.name !== markOverdueEverywhere.name) return;
    // Only now a worker serves the schedule's queue; the processes that it starts stay without a worker.
    const day = `WorkflowId != '${markOverdue.workflowId({ organizationId: world.organizationId, day: '1999-12-31' })}'`;
    const query = `ProcessKind = '${markOverdue.kind}' AND OrganizationId = '${world.organizationId}' AND ${day}`;
    const childId = await served([process.taskQueue], async () => {
      const [child] = await eventually(
        () => found(query),
        (list) => list.length > 0,
      );
      await temporal()
        .workflow.getHandle(child as string)
        .result();
      return child as string;
    });
    const attributes = attributesOf(markOverdue, { organizationId: world.organizationId });
    await expectFound({
      workflowId: childId,
      attributes: { ...attributes, Stage: 'marked' },
      summary: markOverdue.summary,
      priority: { priorityKey: markOverdue.priority, fairnessKey: world.organizationId },
      taskQueue: markOverdue.taskQueue,
    });
  },
);

/** Runs a worker for these queues during the work. */
async function served<T>(queues: TaskQueue[], work: () => Promise<T>): Promise<T> {
  const workers = await createWorkers(queues);
  const running = workers.run();
  try {
    return await work();
  } finally {
    workers.shutdown();
    await running;
  }
}

async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of temporal().workflow.list({ query })) ids.push(workflowId);
  return ids;
}
