/**
 * How a changed workflow is released: `patched()`, what happens to running processes without it, and versioned workers, which need
 * neither.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
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
import { buildVersioning } from '../../activities/buildVersioning.js';
import { listBuilds, makeCurrent, settleFirstBuild } from '../../gateways/temporal/builds.js';
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
});

afterAll(async () => {
  await connection.close();
  await closeTemporal();
});

/** Does the work while this release is deployed, and stops it afterwards. */
async function deployed<T>(release: Release, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { code: bundles.get(release) ?? '' },
    activities: { note: async () => undefined },
    stickyQueueScheduleToStartTimeout: '1 second',
    maxCachedWorkflows: 0,
    ...buildVersioning(),
  });
  return worker.runUntil(work);
}

const start = (): Promise<WorkflowHandle> =>
  temporal().workflow.start('filing', { taskQueue, workflowId: `filing/${randomUUID()}` });

const eventsOf = async (process: WorkflowHandle) => (await process.fetchHistory()).events ?? [];

/** Started under the first release, and waiting. */
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

test('with patched() a running process ends as it began, and a new one uses the new code', async () => {
  const running = await aWaitingProcess();
  await deployed('patched', async () => {
    await approve(running);
    expect(await running.result()).toBe('before');
    const fresh = await start();
    await approve(fresh);
    expect(await fresh.result()).toBe('after');
  });
});

test('a running process stops under a change without patched(), and the next correct release continues it', async () => {
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
});

describe('versioned workers', () => {
  /** Does the work while this release is deployed as this build. */
  const build = <T>(id: string, release: Release, work: () => Promise<T>): Promise<T> => {
    config.TEMPORAL_BUILD_ID = id;
    return deployed(release, work);
  };
  /** The server accepts it once workers of that build poll every queue that the former build served. */
  const takesOver = (id: string) =>
    eventually(
      () => command('--current', id).catch(() => ''),
      (said) => said.includes(`${id}  current`),
    );
  const states = async () => (await listBuilds()).map(({ id, state }) => `${id} ${state}`);
  /** The builds whose workers ran a workflow task of this process. */
  const buildsOf = async (process: WorkflowHandle) => [
    ...new Set(
      (await eventsOf(process)).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
        done ? [done.deploymentVersion?.buildId ?? 'none'] : [],
      ),
    ),
  ];
  const command = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, ['dist/bin/builds.js', ...args], { env: process.env })).stdout;

  async function aProcess(): Promise<WorkflowHandle> {
    const process = await start();
    await eventually(
      () => eventsOf(process),
      (events) => events.some(({ activityTaskCompletedEventAttributes: done }) => done),
    );
    return process;
  }

  afterEach(() => {
    delete config.TEMPORAL_BUILD_ID;
  });

  test('a process that began on a build ends on it, whichever build gets new processes', async () => {
    expect(await listBuilds()).toEqual([]);
    await build('a', 'before', async () => {
      await eventually(() => settleFirstBuild('a'), Boolean);
      await eventually(states, ([first]) => first === 'a current');
      const [ends, waits] = [await aProcess(), await aProcess()];
      await build('b', 'broken', async () => {
        await eventually(states, ({ length }) => length === 2);
        // The first is settled; a later one waits for its approval.
        expect(await settleFirstBuild('b')).toBe(true);
        expect(await states()).toEqual(['a current', 'b waiting']);
        const stillOnA = await aProcess();
        expect(await takesOver('b')).toMatch(/^a {2}draining .*\nb {2}current /);
        const onB = await aProcess();
        await Promise.all([ends, stillOnA, onB].map(approve));
        expect(await Promise.all([ends, stillOnA, onB].map((process) => process.result()))).toEqual([
          'before',
          'before',
          'broken',
        ]);
        expect(await Promise.all([ends, stillOnA, onB].map(buildsOf))).toEqual([['a'], ['a'], ['b']]);

        const begunOnB = await aProcess();
        await takesOver('a');
        const backOnA = await aProcess();
        await Promise.all([waits, begunOnB, backOnA].map(approve));
        expect(await Promise.all([waits, begunOnB, backOnA].map((process) => process.result()))).toEqual([
          'before',
          'broken',
          'before',
        ]);
      });
      await expect(makeCurrent('nobody')).rejects.toThrow();
    });
  });

  test('a process without workers of its build waits unharmed, and continues when it is moved to a compatible build', async () => {
    const [waits, moves] = await build('a', 'before', async () => {
      await takesOver('a');
      return [await aProcess(), await aProcess()] as const;
    });
    await build('b', 'broken', async () => {
      await takesOver('b');
      await approve(waits);
      const fresh = await aProcess();
      await approve(fresh);
      expect(await fresh.result()).toBe('broken');
      expect((await waits.describe()).status.name).toBe('RUNNING');
      expect((await eventsOf(waits)).some(({ workflowTaskFailedEventAttributes: failed }) => failed)).toBe(false);
    });
    await build('a', 'before', async () => expect(await waits.result()).toBe('before'));
    await build('c', 'patched', async () => {
      await takesOver('c');
      await approve(moves);
      expect(await command('--move', 'a')).toContain('1 processes');
      expect(await moves.result()).toBe('before');
      expect(await buildsOf(moves)).toEqual(['a', 'c']);
    });
    expect(await command('--unversioned')).not.toContain('current');
    delete config.TEMPORAL_BUILD_ID;
    await deployed('before', async () => {
      const ofNoBuild = await aProcess();
      await approve(ofNoBuild);
      expect(await ofNoBuild.result()).toBe('before');
      expect(await buildsOf(ofNoBuild)).toEqual(['none']);
      // A worker that still announces a build does not get back a process that was moved away from it.
      expect(await settleFirstBuild('c')).toBe(true);
      expect((await states()).filter((state) => state.endsWith('current'))).toEqual([]);
    });
  });
});
