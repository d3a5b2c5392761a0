/** Every kind of process, started as it is started in earnest, and found by all that operators filter by. */
import { randomUUID } from 'node:crypto';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { createWorkers } from '../../activities/worker.js';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { dispatchWritten, enqueue, enqueueForPerson } from '../../models/database/outbox.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import {
  markOverdue,
  PROCESS_KINDS,
  PROCESSES,
  type ProcessContract,
  TASK_QUEUES,
  type TaskQueue,
} from '../../workflows/contracts/index.js';
import { markOverdueEverywhere } from '../../workflows/contracts/markOverdueEverywhere.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/searchAttributes.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;

// Without a worker, so that everything stays as it was started.
beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld();
}, 60_000);
afterAll(async () => {
  await deleteSchedules();
  const queues = TASK_QUEUES.map((queue) => `'${config.TEMPORAL_TASK_QUEUE_PREFIX}${queue}'`);
  for (const workflowId of await found(`TaskQueue IN (${queues.join(', ')}) AND ExecutionStatus = 'Running'`))
    await temporal().workflow.getHandle(workflowId).terminate();
  await platform.close();
}, 60_000);

/** What a process of each kind is told besides its organization: a new kind needs a line here. */
const INPUTS: Record<string, () => Record<string, string>> = {
  payRemittance: () => ({ remittanceId: randomUUID(), attemptId: randomUUID(), chapterId: world.chapterId }),
  hostedPage: () => ({ attemptId: randomUUID() }),
  applyProcessorEvent: () => ({ webhookEventId: randomUUID() }),
  giveBackPayment: () => ({ captureId: randomUUID(), resolutionId: randomUUID() }),
  issueDues: () => ({ duesRunId: randomUUID() }),
  markOverdue: () => ({ day: '1999-12-31' }),
  sendOverdueNotices: () => ({ day: '1999-12-31', batchId: randomUUID() }),
  sendAccountNotice: () => ({ noticeId: randomUUID() }),
  deleteAccount: () => ({ deletionId: randomUUID() }),
};

/** Those that are about a person's account belong to no organization: a new one needs a line here. */
const ABOUT_PEOPLE = new Set<string>(['sendAccountNotice', 'deleteAccount']);

interface Expected {
  workflowId: string;
  attributes: Record<string, string>;
  summary: string;
  priority: object;
  taskQueue: string;
}

/** Looks a process up by each attribute by itself, and by its summary, priority and queue. */
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

const attributesOf = (contract: ProcessContract<never>, input: Record<string, string>) => ({
  ...(ABOUT_PEOPLE.has(contract.name) ? {} : { OrganizationId: world.organizationId }),
  ProcessKind: contract.kind,
  Stage: 'started',
  SubjectId: input[contract.subject.id] as string,
  ...(contract.chapterId ? { ChapterId: world.chapterId } : {}),
});

test('there is a way to start each kind here', () => {
  expect(Object.keys(INPUTS).toSorted()).toEqual(PROCESSES.map(({ name }) => name).toSorted());
  const all = [...PROCESSES.map(({ kind }) => kind), ...SCHEDULES.map(({ process }) => process.kind)];
  expect(PROCESS_KINDS.map(({ kind }) => kind).toSorted()).toEqual(all.toSorted());
  expect(new Set(all).size).toBe(all.length);
});

test.each(PROCESSES.map((contract) => [contract.name, contract as unknown as ProcessContract<never>] as const))(
  '%s that an intent starts is found by each of its attributes',
  async (name, contract) => {
    const given = INPUTS[name]?.() ?? {};
    const requestId = `request-${randomUUID()}`;
    let written: string[] = [];
    const options = {
      origin: { userId: null, ipAddress: null, requestId },
      afterCommit: (ids: string[]) => (written = ids),
    };
    const aboutPerson = ABOUT_PEOPLE.has(name);
    const workflowId = aboutPerson
      ? await inPlatform(() => enqueueForPerson(contract, given as never), options)
      : await inTenant(world.organizationId, () => enqueue(contract, given as never), options);
    await dispatchWritten(written, startMessage);
    const input = aboutPerson ? given : { ...given, organizationId: world.organizationId };
    await expectFound({
      workflowId,
      attributes: { ...attributesOf(contract, input), RequestId: requestId },
      summary: contract.summary,
      priority: { priorityKey: contract.priority, fairnessKey: aboutPerson ? 'platform' : world.organizationId },
      taskQueue: contract.taskQueue,
    });
  },
);

test.each(SCHEDULES.map((schedule) => [schedule.id, schedule] as const))(
  'what the schedule %s starts is found, and so is what that starts in turn',
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
    if (process !== markOverdueEverywhere) return;
    // Only now somebody serves the schedule's queue; what it starts is left to nobody again.
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
    const attributes = attributesOf(markOverdue, {
      organizationId: world.organizationId,
    });
    await expectFound({
      workflowId: childId,
      attributes: { ...attributes, Stage: 'marked' },
      summary: markOverdue.summary,
      priority: { priorityKey: markOverdue.priority, fairnessKey: world.organizationId },
      taskQueue: markOverdue.taskQueue,
    });
  },
  40_000,
);

/** Runs a worker for these queues meanwhile. */
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
