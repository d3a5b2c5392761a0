/** How a changed workflow is rolled out: `patched()`, and what becomes of running processes when somebody forgets it. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { config } from '../../config.js';
import { closeTemporal, queueName, temporal } from '../../gateways/temporal/client.js';
import { eventually } from '../support/platform.js';

type Release = 'before' | 'broken' | 'patched';

let connection: NativeConnection;
const bundles = new Map<Release, string>();
const taskQueue = queueName('changed');

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  for (const release of ['before', 'broken', 'patched'] as const) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'workflows', `${release}.ts`),
      logger: new DefaultLogger('ERROR'),
      webpackConfigHook: (settings) => ({
        ...settings,
        resolve: { ...settings.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
      }),
    });
    bundles.set(release, code);
  }
}, 180_000);

afterAll(async () => {
  await connection.close();
  await closeTemporal();
});

/** Does the work while this release is deployed, and takes it down afterwards. */
async function deployed<T>(release: Release, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { code: bundles.get(release) ?? '' },
    activities: { note: async () => undefined },
    stickyQueueScheduleToStartTimeout: '1 second',
    maxCachedWorkflows: 0,
  });
  return worker.runUntil(work);
}

const start = (): Promise<WorkflowHandle> =>
  temporal().workflow.start('filing', { taskQueue, workflowId: `filing/${randomUUID()}` });

const eventsOf = async (process: WorkflowHandle) => (await process.fetchHistory()).events ?? [];

/** Started under the first release, and waiting now. */
async function aWaitingProcess(): Promise<WorkflowHandle> {
  return deployed('before', async () => {
    const process = await start();
    await eventually(
      () => eventsOf(process),
      (events) => events.filter(({ activityTaskCompletedEventAttributes: done }) => done).length === 1,
    );
    return process;
  });
}

const approve = (process: WorkflowHandle) => process.signal('approve');

test('behind patched() a running process ends as it began, and a new one takes the new way', async () => {
  const running = await aWaitingProcess();
  await deployed('patched', async () => {
    await approve(running);
    expect(await running.result()).toBe('before');
    const fresh = await start();
    await approve(fresh);
    expect(await fresh.result()).toBe('after');
  });
}, 60_000);

test('without it a running process stops and loses nothing: the next good release takes it up', async () => {
  const running = await aWaitingProcess();
  await deployed('broken', async () => {
    await approve(running);
    const events = await eventually(
      () => eventsOf(running),
      (all) => all.some(({ workflowTaskFailedEventAttributes: failed }) => failed),
    );
    const failed = events.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes;
    expect(failed?.failure?.message).toMatch(/nondeterminism/i);
    expect((await running.describe()).status.name).toBe('RUNNING');
  });
  await deployed('patched', async () => expect(await running.result()).toBe('before'));
}, 90_000);
