/** A roster on its way into the store, by a worker: begun anew where the store fails, and ended where somebody cancels it. */
import { processId } from '../../api/processes/id.js';
import { createWorkers } from '../../activities/worker.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { aStore } from '../gateways/storage.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { eventually } from '../support/platform.js';

const storage = aStore();
const stage = apiWorld();
let stop: () => Promise<void>;

beforeAll(async () => {
  await registerSearchAttributes();
  const workers = await createWorkers(['bulk']);
  const running = workers.run();
  stop = async () => {
    workers.shutdown();
    await running;
  };
}, 60_000);
afterAll(async () => {
  await stop();
  await closeTemporal();
}, 60_000);

const requested = async (): Promise<{ id: string; workflow_id: string }> =>
  (await stage.admin.post(`/api/organizations/${stage.world.organizationId}/roster-exports/`, { format: 'xlsx' })).body;
const read = async (id: string) => (await stage.admin.get(`/api/roster-exports/${id}/`)).body;
const until = (id: string, wanted: string) =>
  eventually(
    () => read(id),
    ({ status }) => status === wanted,
    60,
  );

test('a store that fails for a moment has the roster by another try', async () => {
  storage.fail(503, 3);
  const { id, workflow_id } = await requested();
  const { download_url } = await until(id, 'ready');
  const bytes = Buffer.from(await (await fetch(download_url)).arrayBuffer());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  expect(await temporal().workflow.getHandle(workflow_id).result()).toBe('ready');
  await recordHistory(workflow_id, 'exportRoster-ready');
}, 90_000);

test('one whose store stays down is cancelled, and leaves nothing', async () => {
  const before = storage.objects.keys();
  storage.fail(503, 1_000);
  const { id, workflow_id } = await requested();
  await eventually(
    () =>
      temporal()
        .workflow.getHandle(workflow_id)
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === 'RUNNING',
  );
  expect((await stage.admin.post(`/api/processes/${processId(workflow_id)}/cancel/`)).status).toBeLessThan(300);
  await until(id, 'cancelled');
  await expect(temporal().workflow.getHandle(workflow_id).result()).rejects.toThrow();
  storage.fail(503, 0);
  expect(storage.objects.keys()).toEqual(before);
  await recordHistory(workflow_id, 'exportRoster-cancelled');
}, 90_000);
