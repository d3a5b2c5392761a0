/** A social post from scheduling to publication: at its time, once, and found again when the answer is lost. */
import { type NetworkStandin, PATHS } from '../../development/standins/socialnet/server.js';
import { temporal } from '../../gateways/temporal/client.js';
import { comeBack, goAndReturn, startNetwork } from '../api/socialnet/socialnet.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';

const stage = apiWorld();
queueWorkers(['notify']);
let network: NetworkStandin;

beforeAll(async () => {
  network = await startNetwork();
  await comeBack(stage.admin, await goAndReturn(stage.admin));
});
afterAll(async () => {
  await network.close();
});

const path = (rest = '') => `/api/organizations/${stage.world.organizationId}/social-posts/${rest && `${rest}/`}`;
const workflow = (id: string) => `social-post/${id}`;
const draft = async (text: string): Promise<string> => (await stage.admin.post(path(), { text })).body.id;
const published = (id: string) =>
  eventually(
    async () => (await stage.admin.get(path(id))).body.status,
    (status) => status === 'published',
    60,
  );
const made = (text: string) => network.posts().filter(({ commentary }) => commentary === text);

test('a postponed post is cancelled, scheduled again and published once', async () => {
  const id = await draft('Put off, and said.');
  const later = new Date(Date.now() + 86_400_000).toISOString();
  expect((await stage.admin.post(path(`${id}/publish`), { publish_at: later })).status).toBe(202);
  await eventually(
    () =>
      temporal()
        .workflow.getHandle(workflow(id))
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === 'RUNNING',
  );
  expect((await stage.admin.post(path(`${id}/unschedule`))).status).toBe(200);
  await stage.admin.post(path(`${id}/publish`), {});
  await published(id);
  expect(made('Put off, and said.')).toHaveLength(1);
  await temporal().workflow.getHandle(workflow(id)).result();
  await recordHistory(workflow(id), 'publishSocialPost-publishes');
});

test('a post whose answer was lost is found, and not published again', async () => {
  const id = await draft('Said, and not heard.');
  // The network publishes it and the answer is lost: the post is there already when it is looked for.
  network.injectFault(PATHS.posts, 'drop after');
  await stage.admin.post(path(`${id}/publish`), {});
  await published(id);
  expect(made('Said, and not heard.')).toHaveLength(1);
  await temporal().workflow.getHandle(workflow(id)).result();
  await recordHistory(workflow(id), 'publishSocialPost-finds');
});

test('a post whose process an operator terminates becomes a draft', async () => {
  const id = await draft('Not after all.');
  await stage.admin.post(path(`${id}/publish`), { publish_at: new Date(Date.now() + 86_400_000).toISOString() });
  const [{ id: process }] = await eventually(
    async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body.results,
    (list) => list.length === 1,
  );
  // The process may have continued since it was listed; if it ended before the answer, only its end is reported.
  await eventually(
    () => stage.admin.post(`/api/processes/${process}/cancel/`),
    ({ status, body }) => status === 200 || body.code === 'process_finished',
  );
  expect((await stage.admin.get(path(id))).body).toMatchObject({ status: 'draft', publish_at: null });
});
