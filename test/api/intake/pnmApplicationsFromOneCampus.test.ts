/** Forty people apply from one campus, behind the proxy of a deployment. */
import { config } from '../../../config.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aTerm } from '../../support/world.js';

const limits = { pnm_submit_ip: 3, pnm_verify_email: 3, account_request: 3, public_form: 30 };
Object.assign(config, { THROTTLE_LIMITS: { ...config.THROTTLE_LIMITS, ...limits }, NUM_PROXIES: 1 });
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
/** Sends an application of a new person. @param through the address that the proxy adds; the caller may forge those before it */
function from(through: string, path = 'applications/', more: object = {}) {
  people += 1;
  const person = {
    email: `campus-${people}@example.org`,
    first_name: 'Ada',
    last_name: 'A',
    chapter: stage.world.chapterId,
    ...more,
  };
  return stage.nobody.post(
    `/api/pnm/public/${stage.world.slug}/${path}`,
    path === 'drafts/' ? { contents: person } : person,
    { 'X-Forwarded-For': `203.0.113.${people}, 10.0.0.1, ${through}` },
  );
}
const statuses = async (all: ReturnType<typeof from>[]) =>
  (await Promise.all(all)).map(({ status }) => status).sort((a, b) => a - b);

test('a campus network has one budget, which forged addresses do not extend, and its drafts are still saved', async () => {
  expect(await statuses(Array.from({ length: 5 }, () => from('198.51.100.7')))).toEqual([202, 202, 202, 429, 429]);
  const refused = await from('198.51.100.7');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await from('198.51.100.7', 'drafts/')).status).toBe(201);
  expect((await from('198.51.100.8')).status).toBe(202);
});

test('an IPv6 network has one budget for all its addresses', async () => {
  expect(await statuses([1, 2, 3, 4].map((n) => from(`2001:db8:1:2::${n}`)))).toEqual([202, 202, 202, 429]);
  expect((await from('2001:db8:1:3::1')).status).toBe(202);
});

const several = (count: number, send: () => ReturnType<typeof from>) => statuses(Array.from({ length: count }, send));
const CAMPUS = '198.51.100.20';

test('refused applications spend nothing of the budget of a network, and concurrent accepted ones do not exceed it', async () => {
  const mistyped = () => from(CAMPUS, 'applications/', { first_name: ' ', email: `mistyped-${people}@example.org` });
  const refused = () => from(CAMPUS, 'applications/', { chapter: stage.other.chapterId });
  expect(await several(6, mistyped)).toEqual(Array(6).fill(400));
  expect(await several(3, refused)).toEqual([400, 400, 400]);
  const together = await Promise.all([several(4, mistyped), several(5, () => from(CAMPUS))]);
  expect(together).toEqual([Array(4).fill(400), [202, 202, 202, 429, 429]]);
  expect((await mistyped()).status).toBe(400);
});

test('a draft that is refused or submitted again spends nothing of the budget', async () => {
  const through = '198.51.100.21';
  const { token } = (await from(through, 'drafts/', { first_name: null })).body as { token: string };
  const headers = { 'X-Forwarded-For': through };
  const submit = () => stage.nobody.post(`/api/pnm/public/${stage.world.slug}/drafts/${token}/submit/`, {}, headers);
  expect(await several(4, submit)).toEqual([400, 400, 400, 400]);
  const draft = `/api/pnm/public/${stage.world.slug}/drafts/${token}/`;
  const { contents } = (await stage.nobody.get(draft)).body as { contents: object };
  const put = await stage.nobody.put(draft, { contents: { ...contents, first_name: 'Ada' } });
  expect(put.status).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await submit()).status).toBe(202);
  expect(await several(3, () => from(through))).toEqual([202, 202, 429]);
});

test('invalid account requests and invalid links spend nothing of the budget', async () => {
  const { world, nobody } = stage;
  await asOwner('UPDATE organizations SET accepts_account_requests = true WHERE id = $1', [world.organizationId]);
  const headers = { 'X-Forwarded-For': '198.51.100.23' };
  const ask = (email: string, more: object = {}) => {
    const body = { email, first_name: 'Ada', last_name: 'A', justification: 'I am a member.', ...more };
    return nobody.post(`/api/organizations/public/${world.slug}/account-requests/`, body, headers);
  };
  const mistyped = () => ask('typist@example.org', { justification: '' });
  expect(await several(5, mistyped)).toEqual(Array(5).fill(400));
  expect(await several(3, () => ask('typist@example.org'))).toEqual([202, 202, 429]);
  expect((await ask('another@example.org')).status).toBe(202);
  expect((await ask('third@example.org')).status).toBe(429);
  const confirm = () => nobody.post(`/api/pnm/public/${world.slug}/verify-email/`, { token: 'nothing' }, headers);
  expect((await confirm()).body.code).toBe('application_link_invalid');
  expect(await several(4, confirm)).not.toContain(429);
});

test('a network that sends only invalid forms is throttled too', async () => {
  const mistyped = () => from('198.51.100.22', 'applications/', { first_name: null });
  const answers = await several(40, mistyped);
  expect([answers.filter((status) => status === 400).length, answers.at(-1)]).toEqual([30, 429]);
});
