/** The health of the platform: schedules, the outbox and migrations. No worker runs here. */
import { temporal } from '../../../gateways/temporal/client.js';
import { scheduleId } from '../../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../../gateways/temporal/searchAttributes.js';
import { SCHEDULES } from '../../../workflows/schedules.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { readHealth } from '../../support/health.js';
import { asOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { deleteSchedules, restingSchedules } from '../../support/schedules.js';
import { aPlatformAdmin } from '../../support/world.js';

const stage = apiWorld();
let client: Client;
beforeAll(async () => {
  client = new Client(stage.api.url, { token: (await aPlatformAdmin()).token });
});

const checkNamed = async (name: string) => (await readHealth(client)).checks[name];
const ids = SCHEDULES.map(({ id }) => id);

test('only platform admins read the health', async () => {
  expect((await stage.nobody.get('/api/platform/health/')).status).toBe(401);
  for (const somebody of [stage.admin, stage.officer])
    expect(await somebody.get('/api/platform/health/')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test('the worst check decides the status, and queues without a worker are named', async () => {
  const { status, checks } = await readHealth(client);
  expect(status).toBe('failing');
  expect(checks).toMatchObject({
    database: { status: 'ok' },
    migrations: { status: 'ok', pending: [] },
    temporal: { status: 'ok' },
    task_queues: { status: 'failing', unserved: ['core', 'payments', 'notify', 'bulk'] },
    outbox: { status: 'ok', waiting: 0, oldest_seconds: 0 },
    schedules: { status: 'failing', missing: ids, paused: [], overdue: [] },
  });
});

test('paused and missing schedules are named', async () => {
  await registerSearchAttributes();
  await restingSchedules();
  // Temporal's list of schedules lags behind.
  const schedules = () => checkNamed('schedules');
  const paused = await eventually(schedules, (check) => check?.paused?.length === ids.length);
  expect(paused).toMatchObject({ missing: [], paused: ids, overdue: [] });
  await temporal().schedule.getHandle(scheduleId('check-ledgers')).delete();
  const missing = await eventually(schedules, (check) => check?.status === 'failing');
  expect(missing).toMatchObject({ missing: ['check-ledgers'], paused: ids.filter((id) => id !== 'check-ledgers') });
  await restingSchedules();
  await deleteSchedules();
});

test('an old row of the outbox is reported with its age', async () => {
  const setAge = (minutes: number) =>
    asOwner(`UPDATE outbox SET created_at = now() - $1 * interval '1 minute', not_before = 'infinity'`, [minutes]);
  await asOwner(`INSERT INTO outbox (process, workflow_id, input) VALUES ('deleteAccount', 'x', '{}')`);
  await setAge(0.5);
  expect(await checkNamed('outbox')).toMatchObject({ status: 'ok', waiting: 1 });
  await setAge(2);
  expect(await checkNamed('outbox')).toMatchObject({ status: 'degraded', waiting: 1, oldest_seconds: 120 });
  await setAge(11);
  expect(await checkNamed('outbox')).toMatchObject({ status: 'failing', oldest_seconds: 660 });
  await asOwner('DELETE FROM outbox');
});

test('a pending migration is named', async () => {
  const name = 'platform/platform_alert_facts';
  const change = () => asOwner('UPDATE schema_definitions SET checksum = reverse(checksum) WHERE name = $1', [name]);
  await change();
  expect(await checkNamed('migrations')).toMatchObject({ status: 'failing', pending: [name] });
  await change();
  expect(await checkNamed('migrations')).toMatchObject({ status: 'ok' });
});
