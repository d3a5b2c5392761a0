/** Tests the limits of a session that only an organization's identity provider has proven. */
import { isClosedToConfined } from '../../../api/http/admit.js';
import { SAFE } from '../../../api/http/input.js';
import type { Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person, signIn } from '../../support/world.js';
import { forgetAttempts, givePassword, PASSWORD } from './accounts.support.js';

let person: Person;
let client: Client;

const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  client = new Client(api.url, { token: person.token });
  await asOwner(
    "UPDATE sessions SET confined = true, auth_method = 'oauth', provider_answered_at = now() WHERE user_id = $1",
    [person.userId],
  );
});

const ACCOUNT = allRoutes.filter(
  ({ path, spec }) => /^\/api\/(auth|socialnet)\//.test(path) && spec.access !== 'public',
);
const named = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;
const send = ({ method, path }: Route) =>
  client.send(
    method.toUpperCase(),
    path.replaceAll(/:[^/]+/g, '00000000-0000-7000-8000-000000000000'),
    SAFE.has(method.toUpperCase()) ? undefined : {},
  );

test('a confined session reaches only the account routes that show its organization and itself', () => {
  expect(
    ACCOUNT.filter((route) => !isClosedToConfined(route))
      .map(named)
      .sort(),
  ).toEqual([
    'DELETE /api/auth/sessions/:id/',
    'GET /api/auth/me/',
    'GET /api/auth/me/organizations/',
    'GET /api/auth/passkeys/enrollment/',
    'GET /api/auth/security-events/',
    'GET /api/auth/sessions/',
    'POST /api/auth/impersonate/',
    'POST /api/auth/sessions/revoke-others/',
    'POST /api/auth/sso/saml/logout/',
    'POST /api/auth/step-up/',
    'POST /api/auth/switch-organization/',
  ]);
});

test('a confined session cannot reach addresses, deletion, passkeys and network accounts', async () => {
  const closed = ACCOUNT.filter(isClosedToConfined);
  expect(closed.length).toBeGreaterThan(15);
  for (const route of closed) {
    const { status, body } = await send(route);
    const code = route.spec.stepUp ? 'step_up_required' : 'session_confined';
    expect([named(route), status, body?.code]).toEqual([named(route), 403, code]);
  }
});

test("a confined session sees the account's events of its own organization only", async () => {
  await asOwner(
    `INSERT INTO security_events (user_id, kind, organization_id)
     SELECT $1, kind, organization::uuid
       FROM (VALUES ('here', $2), ('there', $3), ('nowhere', NULL)) AS events (kind, organization)`,
    [person.userId, world.organizationId, other.organizationId],
  );
  const kinds = async (token: string) =>
    (await new Client(api.url, { token }).get('/api/auth/security-events/')).body.results.map(
      ({ kind }: { kind: string }) => kind,
    );
  expect(await kinds(person.token)).toEqual(['here']);
  const own = await signIn(person.userId, world.organizationId);
  expect((await kinds(own)).sort()).toEqual(['here', 'nowhere', 'there']);
});

test("the person's own password opens the account area to a confined session", async () => {
  await givePassword(person.userId);
  expect((await client.get('/api/auth/emails/')).body.code).toBe('session_confined');
  expect((await client.post('/api/auth/step-up/', { password: PASSWORD })).status).toBe(200);
  expect((await client.get('/api/auth/emails/')).status).toBe(200);
});

test('a password change needs a recent proof', async () => {
  await givePassword(person.userId);
  const token = await signIn(person.userId, world.organizationId);
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [person.userId]);
  const late = new Client(api.url, { token });
  const change = { current_password: PASSWORD, new_password: 'walnut-comet-drizzle-19' };
  expect((await late.post('/api/auth/password/change/', change)).body.code).toBe('step_up_required');
  expect((await late.post('/api/auth/step-up/', { password: PASSWORD })).status).toBe(200);
  expect((await late.post('/api/auth/password/change/', change)).status).toBe(200);
});

test('a temporary password can be proven again and changed after any time', async () => {
  await givePassword(person.userId);
  await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
  const token = await signIn(person.userId, world.organizationId);
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [person.userId]);
  const late = new Client(api.url, { token });
  expect((await late.post('/api/auth/step-up/', { password: PASSWORD })).status).toBe(200);
  const change = { current_password: PASSWORD, new_password: 'walnut-comet-drizzle-19' };
  expect((await late.post('/api/auth/password/change/', change)).status).toBe(200);
});
