/** The health of the platform with workers, and checks that take seconds. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { createWorkers } from '../../activities/worker.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { Client } from '../support/api.js';
import { anApi } from '../support/apiWorld.js';
import { readHealth } from '../support/health.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { deleteSchedules } from '../support/schedules.js';
import { holdTransaction } from '../support/workerDies.js';
import { aPlatformAdmin } from '../support/world.js';

const api = anApi();
queueWorkers(['core', 'payments', 'notify']);

let client: Client;
beforeAll(async () => {
  client = new Client(api.url, { token: (await aPlatformAdmin()).token });
  await upsertSchedules();
});
afterAll(deleteSchedules);

const statusOf = async () => (await readHealth(client)).status;
const schedules = async () => (await readHealth(client)).checks['schedules'];

test('a queue without a worker is reported until a worker serves it', async () => {
  await eventually(schedules, (check) => check?.status === 'ok');
  expect(await readHealth(client)).toMatchObject({
    status: 'failing',
    checks: { task_queues: { status: 'failing', unserved: ['bulk'] } },
  });
  const bulk = await createWorkers(['bulk']);
  const running = bulk.run();
  expect(await eventually(statusOf, (status) => status === 'ok')).toBe('ok');
  bulk.shutdown();
  await running;
});

test('a check that gets no answer within 2 seconds fails alone', async () => {
  const release = await holdTransaction('LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE', []);
  const begin = Date.now();
  const { status, checks } = await readHealth(client);
  const seconds = (Date.now() - begin) / 1000;
  await release();
  expect(status).toBe('failing');
  expect(checks).toMatchObject({
    database: { status: 'ok' },
    outbox: { status: 'failing', detail: 'The database answered this check with an error, or not within 2 seconds.' },
    schedules: { status: 'ok' },
  });
  expect(checks['outbox']).not.toHaveProperty('waiting');
  expect(seconds).toBeGreaterThan(1.9);
  expect(seconds).toBeLessThan(4);
});

test('a schedule whose runs are skipped is overdue', async () => {
  await temporal().schedule.getHandle(scheduleId('reconcile')).delete();
  // Its first run starts after a second and never ends, because its queue has no worker.
  const never = {
    type: 'startWorkflow',
    workflowType: 'x',
    workflowId: queueName('x'),
    taskQueue: queueName('none'),
  } as const;
  await temporal().schedule.create({
    scheduleId: scheduleId('reconcile'),
    spec: { intervals: [{ every: '1 second' }] },
    action: never,
    policies: { overlap: ScheduleOverlapPolicy.SKIP },
  });
  expect(await eventually(schedules, (check) => check?.detail.includes('overdue') === true, 20)).toMatchObject({
    detail: 'Schedules that do not run on time: overdue: reconcile.',
    overdue: ['reconcile'],
  });
});
