/** Tests how long a session lasts without a new answer of the identity provider. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { aSamlWorld, type SamlWorld, signInBySaml } from '../../../support/samlWorld.js';
import { forgetAttempts, givePassword, PASSWORD } from '../accounts.support.js';
import { start } from '../impersonation.support.js';
import {
  adminOf,
  aForgedWorld,
  answeredEarlier,
  configurationPath,
  type ForgedWorld,
  signedIn,
} from './forgedWorld.support.js';

let world: ForgedWorld;

const THROTTLE_LIMITS = { sso: 10_000, auth: 10_000, token_refresh: 10_000 };
Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS });
const api = anApi();
beforeAll(async () => {
  world = await aForgedWorld(api.url, 'aging');
});
afterAll(async () => {
  world.forger.close();
});

const refresh = (client: Client) => client.post('/api/auth/token/refresh/');
const codeOf = async (client: Client) => (await refresh(client)).body.code as string | undefined;

async function hoursLeft(): Promise<number> {
  const [row] = await asOwner<{ hours: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM sessions
      WHERE connection_id = $1 ORDER BY id DESC LIMIT 1`,
    [world.configurationId],
  );
  return row?.hours ?? -1;
}

test('a session that the provider began can be refreshed for a week, and no longer', async () => {
  const client = await signedIn(world);
  await answeredEarlier(world.configurationId, '6 days 23 hours');
  expect((await refresh(client)).status).toBe(200);
  // The refresh does not extend the session beyond the age that the provider's answer allows.
  expect(await hoursLeft()).toBe(1);
  await answeredEarlier(world.configurationId, '61 minutes');
  const { status, body } = await refresh(client);
  expect([status, body.code]).toEqual([401, 'provider_sign_in_due']);
  expect(await codeOf(client)).toBe('provider_sign_in_due');
  expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
});

test('a new sign-in at the provider begins a new period', async () => {
  const client = await signedIn(world);
  await answeredEarlier(world.configurationId, '8 days');
  expect(await codeOf(client)).toBe('provider_sign_in_due');
  const again = await signedIn(world);
  expect((await refresh(again)).status).toBe(200);
});

test('an admin sets the age between an hour and thirty days, and it takes effect at once', async () => {
  const [path, admin] = [configurationPath(world), adminOf(world)];
  for (const wrong of [0, 721, 1.5, '24']) {
    const { status, body } = await admin.patch(path, { session_max_age_hours: wrong });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['session_max_age_hours']]);
  }
  const client = await signedIn(world);
  await answeredEarlier(world.configurationId, '2 hours');
  const { status, body } = await admin.patch(path, { session_max_age_hours: 1 });
  expect([status, body.session_max_age_hours]).toEqual([200, 1]);
  expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
  expect(await codeOf(client)).toBe('provider_sign_in_due');
  await signedIn(world);
  expect(await hoursLeft()).toBe(1);
  await admin.patch(path, { session_max_age_hours: 720 });
});

describe('an impersonation by an admin whom the provider signed in', () => {
  /** Starts an impersonation by an admin whom the provider signed in. */
  async function startImpersonation(before: string) {
    await forgetAttempts();
    await givePassword(world.admin.userId);
    const client = await signedIn(world, { sub: 'the-admin', email: world.admin.email });
    await answeredEarlier(world.configurationId, before);
    await client.post('/api/auth/step-up/', { password: PASSWORD });
    const { status, body } = await start(client, world.member.membershipId);
    expect(status).toBe(200);
    return { client, minutes: (Date.parse(body.ends_at) - Date.now()) / 60_000 };
  }

  test("an impersonation ends no later than the admin's own session", async () => {
    const { client, minutes } = await startImpersonation('29 days 23 hours 50 minutes');
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThan(11);
    expect((await client.get('/api/auth/me/')).body.impersonation.by).toBe(world.admin.userId);
    await answeredEarlier(world.configurationId, '11 minutes');
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    // A refresh does not lead to an own session that continues.
    expect((await refresh(client)).status).toBe(401);
  });

  test("an impersonation lasts half an hour when the admin's own session lasts longer", async () => {
    const { client, minutes } = await startImpersonation('1 day');
    expect(minutes).toBeGreaterThan(28);
    expect((await refresh(client)).status).toBe(200);
    expect((await client.post('/api/auth/impersonate/stop/')).status).toBe(200);
    expect((await client.get('/api/auth/me/')).body.user.id).toBe(world.admin.userId);
  });
});

test("the database limits the end of a session to the age of the provider's answer", async () => {
  await signedIn(world);
  await asOwner(`UPDATE sessions SET expires_at = now() + interval '90 days' WHERE connection_id = $1`, [
    world.configurationId,
  ]);
  const late = await asOwner(
    'SELECT FROM sessions WHERE expires_at > app.provider_due_at(provider_answered_at, connection_id)',
  );
  expect(late).toEqual([]);
});

test('sessions that began otherwise have no such age', async () => {
  const [row] = await asOwner<{ due: Date | null }>(
    'SELECT app.provider_due_at(provider_answered_at, connection_id) AS due FROM sessions WHERE user_id = $1 LIMIT 1',
    [world.officer.userId],
  );
  expect(row).toEqual({ due: null });
});

test('a SAML session ages by the same rule', async () => {
  const saml: SamlWorld = await aSamlWorld(api.url);
  expect(saml.configuration.session_max_age_hours).toBe(168);
  const client = await signInBySaml(saml, saml.member.email);
  await answeredEarlier(saml.configuration.id, '8 days');
  expect(await codeOf(client)).toBe('provider_sign_in_due');
});

test("the database refuses a provider's session without the time of the provider's answer", async () => {
  const insert = `INSERT INTO sessions (user_id, organization_id, auth_method, expires_at) VALUES ($1, $2, 'oauth', now() + interval '1 day')`;
  await expect(asOwner(insert, [world.member.userId, world.organizationId])).rejects.toThrow(
    /sessions_provider_answered/,
  );
});
