/**
 * Tests that every end of a person's sessions also revokes tokens, codes that were not exchanged yet, and the person's
 * impersonations.
 */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { aMember, aPlatformAdmin, type Person, signIn } from '../../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, inOrder, PASSWORD } from '../accounts.support.js';
import { refresh, start } from '../impersonation.support.js';
import { adminOf, aForgedWorld, answered, configurationPath, type ForgedWorld } from './forgedWorld.support.js';

let world: ForgedWorld;
let platform: Client;
/** The person whom the member, also an admin, impersonates. */
let impersonated: Person;

const THROTTLE_LIMITS = { sso: 10_000, auth: 10_000, admin_password_reset_target: 1_000 };
Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS });
const api = anApi();
beforeAll(async () => {
  world = await aForgedWorld(api.url, 'retired');
  await givePassword(world.member.userId);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    world.member.userId,
  ]);
  impersonated = await aMember(world.organizationId, world.chapterId);
  const headers = { 'X-Organization-Id': world.organizationId };
  platform = new Client(api.url, { token: (await aPlatformAdmin()).token, headers });
});
beforeEach(forgetAttempts);
afterAll(async () => {
  world.forger.close();
});

/** Brings the member of the world back from the provider with a code. */
async function withCode() {
  const claims = { email: world.member.email, email_verified: true };
  const { end, client } = await answered(world, { claims });
  const code = end.searchParams.get('code');
  return { code, exchange: () => client.post('/api/auth/sso/exchange/', { code }) };
}

const inOrganization = (rest: string) => `/api/organizations/${world.organizationId}/${rest}`;
const ofMember = (rest: string) => inOrganization(`users/${world.member.userId}/${rest}`);
const asMember = async () => (await aNativeClient(api.url, world.member.email)).client;
const done = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
};
const setActive = async (client: Client, path: string, is_active: boolean) => {
  const { version } = (await client.get(path)).body;
  await done(client.patch(path, { is_active, version }));
};

/** Renews the admin's session, which the suspension has ended too. */
const withNewAdmin = async () => {
  world.admin.token = await signIn(world.admin.userId, world.organizationId);
};

const ENDS: [string, () => Promise<unknown>][] = [
  [
    'the person ends their other sessions',
    async () => done((await asMember()).post('/api/auth/sessions/revoke-others/')),
  ],
  [
    'the person changes their password',
    async () => {
      const client = await asMember();
      await done(
        client.post('/api/auth/password/change/', {
          current_password: PASSWORD,
          new_password: 'another-kettle-in-violet-9',
        }),
      );
      await givePassword(world.member.userId);
    },
  ],
  ['an admin ends their sessions', () => done(adminOf(world).post(ofMember('sessions/revoke-all/')))],
  ['an admin resets the password', () => done(adminOf(world).post(ofMember('password-reset/')))],
  [
    'an admin gives a password',
    async () => {
      await done(adminOf(world).post(ofMember('temporary-password/')));
      await asOwner('UPDATE users SET must_change_password = false WHERE id = $1', [world.member.userId]);
      await givePassword(world.member.userId);
    },
  ],
  [
    'the account is disabled, and enabled again',
    async () => {
      for (const verb of ['disable', 'enable'])
        await done(platform.post(`/api/platform/users/${world.member.userId}/${verb}/`));
    },
  ],
  [
    'the connection is switched off, and on again',
    async () => {
      for (const on of [false, true]) await setActive(adminOf(world), configurationPath(world), on);
    },
  ],
  [
    'the organization is suspended and reactivated',
    async () => {
      for (const on of [false, true]) await setActive(platform, inOrganization(''), on);
      await withNewAdmin();
    },
  ],
];

test.each(ENDS)('when %s, an earlier code is refused', async (_name, end) => {
  const { exchange } = await withCode();
  await end();
  const { status, body } = await exchange();
  expect([status, body.code]).toEqual([400, 'sso_code_invalid']);
});

const ENDS_ALL = ENDS.filter(([name]) => !name.startsWith('the connection'));
test.each(ENDS_ALL)('when %s, every earlier token is refused', async (_name, end) => {
  await forgetAttempts();
  const { client, refreshToken } = await aNativeClient(api.url, world.member.email);
  const { body: impersonation, status } = await start(client, impersonated.membershipId);
  expect(status).toBe(200);
  await end();
  await forgetAttempts();
  const codes = [];
  for (const token of [client.token as string, impersonation.access_token as string]) {
    const as = new Client(api.url, { token });
    codes.push((await as.get('/api/auth/me/')).body.code);
    codes.push((await as.post('/api/auth/switch-organization/', { organization: world.slug })).body.code);
    codes.push((await as.post('/api/auth/step-up/', { password: PASSWORD })).body.code);
  }
  codes.push((await refresh(api.url, refreshToken)).body.code);
  codes.push((await refresh(api.url, impersonation.refresh_token, impersonation.restore_token)).body.code);
  expect(new Set(codes)).toEqual(new Set(['session_ended']));
});

const liveOf = (connectionId: string) =>
  asOwner('SELECT id FROM sessions WHERE connection_id = $1 AND revoked_at IS NULL', [connectionId]);
test('concurrent exchange and end of all sessions leave no session, in either order', async () => {
  const own = await asMember();
  const revoke = () => own.post('/api/auth/sessions/revoke-others/');
  for (const order of [0, 1]) {
    const { exchange } = await withCode();
    await inOrder(world.member.userId, order === 0 ? [exchange, revoke] : [revoke, exchange]);
    expect(await liveOf(world.configurationId)).toEqual([]);
  }
});

test('a code whose exchange is in progress is still found by the deactivation of its connection', async () => {
  const { exchange } = await withCode();
  const switchOff = () => setActive(adminOf(world), configurationPath(world), false);
  const [answer] = await inOrder(world.member.userId, [exchange], switchOff);
  expect([answer?.status, await liveOf(world.configurationId)]).toEqual([400, []]);
  await setActive(adminOf(world), configurationPath(world), true);
});
