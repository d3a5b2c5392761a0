/** Forty apply from one campus, behind the proxy of a deployment. */
import { config } from '../../../config.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aTerm } from '../../support/world.js';

Object.assign(config, { THROTTLE_LIMITS: { ...config.THROTTLE_LIMITS, pnm_submit_ip: 3 }, NUM_PROXIES: 1 });
const stage = apiWorld();

beforeAll(async () => {
  const { admin, world } = stage;
  const { id } = (
    await admin.post(`/api/organizations/${world.organizationId}/recruitment-periods/`, {
      term: await aTerm(world, 2100),
      name: 'Intake',
      opens_at: '2020-01-01T00:00:00.000Z',
      closes_at: '2100-01-01T00:00:00.000Z',
    })
  ).body;
  expect((await admin.post(`/api/recruitment-periods/${id}/activate/`)).status).toBe(200);
});

let people = 0;
/** Another person applies. @param through what the proxy says; what stands before it is the caller's own word */
function from(through: string, path = 'applications/') {
  people += 1;
  const person = {
    email: `campus-${people}@example.org`,
    first_name: 'Ada',
    last_name: 'A',
    chapter: stage.world.chapterId,
  };
  return stage.nobody.post(
    `/api/pnm/public/${stage.world.slug}/${path}`,
    path === 'drafts/' ? { contents: person } : person,
    { 'X-Forwarded-For': `203.0.113.${people}, 10.0.0.1, ${through}` },
  );
}
const statuses = async (all: ReturnType<typeof from>[]) =>
  (await Promise.all(all)).map(({ status }) => status).sort((a, b) => a - b);

test('a campus has one budget, whatever its people say of themselves, keeps what they typed, and another network has its own', async () => {
  expect(await statuses(Array.from({ length: 5 }, () => from('198.51.100.7')))).toEqual([202, 202, 202, 429, 429]);
  const refused = await from('198.51.100.7');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await from('198.51.100.7', 'drafts/')).status).toBe(201);
  expect((await from('198.51.100.8')).status).toBe(202);
});

test('whoever has a network of IPv6 has no more budgets for that', async () => {
  expect(await statuses([1, 2, 3, 4].map((n) => from(`2001:db8:1:2::${n}`)))).toEqual([202, 202, 202, 429]);
  expect((await from('2001:db8:1:3::1')).status).toBe(202);
});
