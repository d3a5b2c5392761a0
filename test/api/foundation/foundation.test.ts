/** Who the people of the foundation are, and what they may do. */
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin, aUser, signIn } from '../../support/world.js';
import { impersonating } from '../identity/impersonation.support.js';
import { allRoutes } from '../../../api/routes.js';
import { SAFE } from '../../../api/http/input.js';

const stage = apiWorld();
const { api, world, other, as } = stage;

let own: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  own = await aFoundation(world);
  foreign = await aFoundation(other);
});

const CAMPAIGNS = '/api/foundation/campaigns/';
const newCampaign = (n: number) => ({ title: `Campaign ${n}`, slug: `campaign-${n}`, suggested_amounts: [2500] });

test('an editor reads funds and campaigns, and changes nothing', async () => {
  const editor = as(own.editor);
  for (const path of ['/api/foundation/funds/', CAMPAIGNS]) {
    expect((await editor.get(path)).status).toBe(200);
    expect((await editor.post(path, { name: 'Fund' })).status).not.toBe(201);
  }
  expect((await editor.post(CAMPAIGNS, newCampaign(1))).status).toBe(403);
  expect((await editor.post(`${CAMPAIGNS}${own.campaignId}/close/`)).status).toBe(403);
  for (const path of ['config', 'admins', 'payment-processor'])
    expect([path, (await editor.get(`/api/foundation/${path}/`)).status]).toEqual([path, 403]);
});

test('organization and platform admins without a role read settings and people, and nothing else', async () => {
  const platform = new Client(api.url, {
    token: (await aPlatformAdmin()).token,
    headers: { 'X-Organization-Id': world.organizationId },
  });
  for (const person of [stage.admin, platform]) {
    for (const path of ['config', 'admins'])
      expect([path, (await person.get(`/api/foundation/${path}/`)).status]).toEqual([path, 200]);
    for (const path of ['funds', 'campaigns', 'payment-processor'])
      expect([path, (await person.get(`/api/foundation/${path}/`)).status]).toEqual([path, 403]);
    expect((await person.patch('/api/foundation/config/', { name: 'Other' })).status).toBe(403);
  }
});

test('members and officers have no access', async () => {
  for (const person of [stage.member, stage.officer])
    for (const path of ['config', 'admins', 'funds', 'campaigns', 'payment-processor'])
      expect([path, (await person.get(`/api/foundation/${path}/`)).status]).toEqual([path, 403]);
});

test('a role ends when its holder loses access to the organization, and counts again with a new membership', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  await asOwner(
    `INSERT INTO foundation_admins (organization_id, foundation_id, user_id, role) VALUES ($1, $2, $3, 'admin')`,
    [world.organizationId, own.foundationId, person.userId],
  );
  expect((await as(person).get(CAMPAIGNS)).status).toBe(200);
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
  expect(await as(person).get(CAMPAIGNS)).toMatchObject({ status: 401, body: { code: 'membership_ended' } });
  await asOwner(`UPDATE memberships SET status = 'alumni' WHERE id = $1`, [person.membershipId]);
  expect((await as(person).get(CAMPAIGNS)).status).toBe(200);
});

test('the role of a platform admin does not count without a membership or an office', async () => {
  const userId = await aUser(undefined, { platformAdmin: true });
  const client = new Client(api.url, {
    token: await signIn(userId, null),
    headers: { 'X-Organization-Id': world.organizationId },
  });
  await asOwner(
    `INSERT INTO foundation_admins (organization_id, foundation_id, user_id, role) VALUES ($1, $2, $3, 'admin')`,
    [world.organizationId, own.foundationId, userId],
  );
  expect((await client.get(CAMPAIGNS)).status).toBe(403);
  await asOwner(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status) VALUES ($1, $2, $3, 'member', 'undergrad')`,
    [world.organizationId, userId, world.chapterId],
  );
  expect((await client.get(CAMPAIGNS)).status).toBe(200);
});

test('a foundation of another organization is not visible', async () => {
  const { body } = await as(own.admin).get(CAMPAIGNS);
  expect(body.results.map(({ id }: { id: string }) => id)).not.toContain(foreign.campaignId);
  expect((await as(own.admin).get(`${CAMPAIGNS}${foreign.campaignId}/`)).status).toBe(404);
});

test('an impersonated session may not use any route of the foundation', async () => {
  const { client } = await impersonating(api.url, world);
  const routes = allRoutes.filter(({ path }) => path.startsWith('/api/foundation/'));
  expect(routes.length).toBeGreaterThan(20);
  for (const { method, path } of routes) {
    const body = SAFE.has(method.toUpperCase()) ? undefined : {};
    const answer = await client.send(method.toUpperCase(), path.replaceAll(/:\w+/g, own.campaignId), body);
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'impersonation_area_closed']);
  }
});
