import { AUDIT_LOG } from '../../support/auditLog.js';
import { config } from '../../../config.js';
import { PATHS, type NetworkStandin } from '../../../development/standins/socialnet/server.js';
import { decrypt } from '../../../models/database/encryption.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin, type Person } from '../../support/world.js';
import {
  agree,
  aStranger,
  CLIENT,
  comeBack,
  goAndReturn,
  parametersOf,
  pkce,
  startNetwork,
} from './socialnet.support.js';

let network: NetworkStandin;
let person: Person;
let client: Client;

const as = ({ token }: { token: string }) => new Client(api.url, { token });
const linked = (userId: string) => asOwner('SELECT * FROM social_accounts WHERE user_id = $1', [userId]);
const statusAndCode = ({ status, body }: { status: number; body: { code: string; errors?: object } }) => [
  status,
  body.code,
  Object.keys(body.errors ?? {}),
];
const WEB = `${config.frontendUrl}/socialnet/callback`;
const NATIVE = `${config.backendUrl}/api/socialnet/native-callback/`;

const { api, world } = apiWorld();
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(async () => {
  await network.close();
});
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  client = as(person);
});

describe('linking on the web', () => {
  test('a linked account shows its owner, is mailed, and is in both logs', async () => {
    const email = aStranger();
    const returned = await goAndReturn(client, { platform: 'web' }, { email, name: 'Robin Vale' });
    const { status, body } = await comeBack(client, { ...returned, redirect_uri: WEB });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        provider: 'linkedin',
        name: 'Robin Vale',
        email,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const events = await asOwner('SELECT kind, details FROM security_events WHERE user_id = $1', [person.userId]);
    const details = { provider: 'linkedin', social_account: body.id };
    expect(events).toEqual([{ kind: 'social_account.linked', details }]);
    const audited = await asOwner(
      `SELECT actor_user_id, after FROM ${AUDIT_LOG} WHERE organization_id = $1 AND subject_id = $2 AND action = 'social_account.linked'`,
      [world.organizationId, person.userId],
    );
    expect(audited).toEqual([{ actor_user_id: person.userId, after: details }]);
    const mails = await asOwner('SELECT kind, email FROM account_notices WHERE user_id = $1', [person.userId]);
    expect(mails).toEqual([{ kind: 'social_account_linked', email: person.email }]);
  });

  test('the request to the network has our client, our address and a state of 256 bits, stored only as a hash', async () => {
    const { body } = await client.post('/api/socialnet/initiate/', { platform: 'web' });
    const question = Object.fromEntries(new URL(body.authorization_url).searchParams);
    expect(question).toEqual({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: WEB,
      scope: 'openid profile email w_member_social',
      state: body.state,
    });
    expect(body).toMatchObject({ redirect_uri: WEB, expires_in: 600, state: expect.stringMatching(/^[\w-]{43}$/) });
    const flows = await asOwner('SELECT * FROM social_link_flows WHERE user_id = $1', [person.userId]);
    expect(JSON.stringify(flows)).not.toContain(body.state);
    expect(flows).toHaveLength(1);
  });

  test.each([[undefined], ['web'], ['desktop'], ['NATIVE'], ['']])('the platform %j means web', async (platform) => {
    const { body } = await client.post('/api/socialnet/initiate/', platform === undefined ? {} : { platform });
    expect(body.redirect_uri).toBe(WEB);
  });

  test('the redirect_uri may be omitted', async () => {
    expect((await comeBack(client, await goAndReturn(client))).status).toBe(200);
  });

  test('a challenge binds a web flow too', async () => {
    const { verifier, challenge } = pkce();
    const without = await goAndReturn(client, { code_challenge: challenge });
    expect((await comeBack(client, without)).status).toBe(400);
    const returned = await goAndReturn(client, { code_challenge: challenge });
    expect((await comeBack(client, { ...returned, code_verifier: verifier })).status).toBe(200);
  });

  test('a verifier without an earlier challenge is refused', async () => {
    const returned = await goAndReturn(client);
    const refused = await comeBack(client, { ...returned, code_verifier: pkce().verifier });
    expect(statusAndCode(refused)).toEqual([400, 'socialnet_verifier_invalid', ['code_verifier']]);
  });

  test('platform admins link their accounts without an organization', async () => {
    const admin = as(await aPlatformAdmin());
    expect((await comeBack(admin, await goAndReturn(admin))).status).toBe(200);
  });
});

describe('linking in the app', () => {
  test('an app links an account through the HTTPS address, with the verifier', async () => {
    const { verifier, challenge } = pkce();
    const begun = await client.post('/api/socialnet/initiate/', { platform: 'native', code_challenge: challenge });
    expect(begun.body.redirect_uri).toBe(NATIVE);
    const sentTo = await agree(begun.body.authorization_url);
    expect(sentTo.origin + sentTo.pathname).toBe(NATIVE);

    const bounced = await new Client(api.url).get(sentTo.pathname + sentTo.search);
    expect(bounced.status).toBe(302);
    const inApp = new URL(bounced.headers.get('location') as string);
    expect(inApp.protocol).toBe(`${config.MOBILE_APP_SCHEME}:`);
    const returned = { ...parametersOf(inApp), redirect_uri: NATIVE, code_verifier: verifier };
    expect((await comeBack(client, returned)).status).toBe(200);
    expect(await linked(person.userId)).toHaveLength(1);
  });

  test('an app cannot begin without a challenge of 43 characters', async () => {
    const begin = (code_challenge?: unknown) =>
      client.post('/api/socialnet/initiate/', { platform: 'native', code_challenge });
    const short = 'x'.repeat(42);
    for (const challenge of [undefined, short, `${short}xx`, `${short}=`, `${short}+`, '', null, 7]) {
      expect([challenge, ...statusAndCode(await begin(challenge))]).toEqual([
        challenge,
        400,
        'validation_error',
        ['code_challenge'],
      ]);
    }
    expect(await asOwner('SELECT 1 FROM social_link_flows WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  test('a wrong verifier uses the state up, so that the right one comes too late', async () => {
    const { verifier, challenge } = pkce();
    const returned = await goAndReturn(client, { platform: 'native', code_challenge: challenge });
    const wrong = await comeBack(client, { ...returned, code_verifier: pkce().verifier });
    expect(statusAndCode(wrong)).toEqual([400, 'socialnet_verifier_invalid', ['code_verifier']]);
    const right = await comeBack(client, { ...returned, code_verifier: verifier });
    expect(statusAndCode(right)).toEqual([400, 'socialnet_state_invalid', ['state']]);
    expect(await linked(person.userId)).toEqual([]);
  });

  test.each([[''], [undefined]])('the verifier %j is wrong', async (code_verifier) => {
    const { challenge } = pkce();
    const returned = await goAndReturn(client, { platform: 'native', code_challenge: challenge });
    expect(statusAndCode(await comeBack(client, { ...returned, code_verifier }))[1]).toBe('socialnet_verifier_invalid');
    // The challenge itself is no secret, because it was in the address of the request.
    const again = await goAndReturn(client, { platform: 'native', code_challenge: challenge });
    expect(statusAndCode(await comeBack(client, { ...again, code_verifier: challenge }))[1]).toBe(
      'socialnet_verifier_invalid',
    );
  });
});

describe('the state of a flow', () => {
  test('an unknown state is refused', async () => {
    const { code } = await goAndReturn(client);
    for (const state of ['x'.repeat(43), 'nonsense', "' OR 1=1"]) {
      expect(statusAndCode(await comeBack(client, { code, state }))).toEqual([
        400,
        'socialnet_state_invalid',
        ['state'],
      ]);
    }
  });

  test('a state of another person is refused in the same words and used up', async () => {
    const other = as(await aMember(world.organizationId, world.chapterId));
    const returned = await goAndReturn(client);
    const theirs = await comeBack(other, returned);
    const nobodys = await comeBack(other, { ...returned, state: 'x'.repeat(43) });
    expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body]);
    expect(statusAndCode(await comeBack(client, returned))[1]).toBe('socialnet_state_invalid');
    expect(await asOwner('SELECT 1 FROM social_accounts WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  test('a state is valid for ten minutes', async () => {
    const expire = (age: string) =>
      asOwner('UPDATE social_link_flows SET expires_at = expires_at - $2::interval WHERE user_id = $1', [
        person.userId,
        age,
      ]);
    const late = await goAndReturn(client);
    await expire('601 seconds');
    expect(statusAndCode(await comeBack(client, late))[1]).toBe('socialnet_state_invalid');
    const intime = await goAndReturn(client);
    await expire('590 seconds');
    expect((await comeBack(client, intime)).status).toBe(200);
  });

  test('a state is valid for one use', async () => {
    const returned = await goAndReturn(client);
    expect((await comeBack(client, returned)).status).toBe(200);
    expect(statusAndCode(await comeBack(client, returned))[1]).toBe('socialnet_state_invalid');
  });

  test('two concurrent uses of a state link once', async () => {
    const returned = await goAndReturn(client);
    const answers = await Promise.all(Array.from({ length: 5 }, () => comeBack(client, returned)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
    expect(await linked(person.userId)).toHaveLength(1);
  });

  test('a person has at most ten states, and the oldest are dropped', async () => {
    const first = await goAndReturn(client);
    for (let n = 0; n < 10; n += 1) await client.post('/api/socialnet/initiate/', {});
    expect(await asOwner('SELECT 1 FROM social_link_flows WHERE user_id = $1', [person.userId])).toHaveLength(10);
    expect(statusAndCode(await comeBack(client, first))[1]).toBe('socialnet_state_invalid');
  });
});

describe('the redirect_uri of a flow', () => {
  test('an unknown redirect_uri is refused by name and leaves the state', async () => {
    const returned = await goAndReturn(client);
    const hostile = [
      'https://evil.example/socialnet/callback',
      `${WEB}/`,
      `${WEB}?next=https://evil.example`,
      `${WEB}#x`,
      WEB.toUpperCase(),
      `${config.MOBILE_APP_SCHEME}://socialnet/callback`,
      'javascript:alert(1)',
      '',
    ];
    for (const redirect_uri of hostile) {
      const refused = await comeBack(client, { ...returned, redirect_uri });
      expect([redirect_uri, ...statusAndCode(refused)]).toEqual([
        redirect_uri,
        400,
        'validation_error',
        ['redirect_uri'],
      ]);
    }
    expect((await comeBack(client, returned)).status).toBe(200);
  });

  test('the redirect_uri of the other platform is refused by name and uses the state up', async () => {
    const returned = await goAndReturn(client);
    const refused = await comeBack(client, { ...returned, redirect_uri: NATIVE });
    expect(statusAndCode(refused)).toEqual([400, 'socialnet_redirect_uri_mismatch', ['redirect_uri']]);
    expect(statusAndCode(await comeBack(client, { ...returned, redirect_uri: WEB }))[1]).toBe(
      'socialnet_state_invalid',
    );
  });

  test('the redirect_uri is no field of the first request, in which clients name a platform', async () => {
    const refused = await client.post('/api/socialnet/initiate/', { redirect_uri: WEB });
    expect(statusAndCode(refused)).toEqual([400, 'validation_error', ['redirect_uri']]);
  });

  test('the stored redirect_uri is used, and a flow with an address that is no longer configured is refused', async () => {
    const returned = await goAndReturn(client);
    await asOwner("UPDATE social_link_flows SET redirect_uri = 'https://old.example/socialnet/callback'");
    expect(statusAndCode(await comeBack(client, returned))[1]).toBe('socialnet_redirect_uri_mismatch');
  });
});

describe('answers of the network', () => {
  const json = (status: number, body: unknown) => ({
    status,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

  test('a code that the network refuses links nothing', async () => {
    const { state } = await goAndReturn(client);
    expect(statusAndCode(await comeBack(client, { code: 'made-up', state }))).toEqual([
      400,
      'socialnet_code_refused',
      ['code'],
    ]);
    expect(await linked(person.userId)).toEqual([]);
  });

  const troubles: [string, string, Parameters<NetworkStandin['injectFault']>[1]][] = [
    ['drops the connection', PATHS.token, 'drop'],
    ['does not answer in time', PATHS.token, 'hang'],
    ['is out of order', PATHS.token, json(500, { error: 'server_error' })],
    ['does not know our client', PATHS.token, json(401, { error: 'invalid_client' })],
    ['answers no JSON', PATHS.token, { status: 200, body: '<html>', headers: {} }],
    ['answers without a token', PATHS.token, json(200, { token_type: 'Bearer' })],
    ['answers without end', PATHS.token, json(200, { access_token: 'x', padding: 'x'.repeat(100_000) })],
    ['redirects with our secret', PATHS.token, { status: 307, body: '', headers: { Location: 'http://127.0.0.1:9/' } }],
    ['does not say who it is', PATHS.userinfo, json(200, { name: 'Somebody' })],
    ['does not take its own token', PATHS.userinfo, json(401, {})],
    ['loses userinfo', PATHS.userinfo, 'drop'],
  ];
  test.each(troubles)(
    'a network that %s (%s) is reported as unavailable, and nothing is linked',
    async (_, path, how) => {
      const returned = await goAndReturn(client);
      network.injectFault(path, how);
      const refused = await comeBack(client, returned);
      expect(statusAndCode(refused)).toEqual([503, 'socialnet_unavailable', []]);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(await linked(person.userId)).toEqual([]);
    },
  );

  test('an account whose name and address are unusable is linked without them', async () => {
    const returned = await goAndReturn(client);
    network.injectFault(
      PATHS.userinfo,
      json(200, { sub: `odd-${person.userId}`, name: '\u0000\u202e \n', email: 'no address' }),
    );
    const { status, body } = await comeBack(client, returned);
    expect([status, body.name, body.email]).toEqual([200, null, null]);
  });

  test('an outage of the network does not prevent the beginning of a link', async () => {
    expect((await client.post('/api/socialnet/initiate/', {})).status).toBe(200);
  });

  test('an unconfigured network is reported at both ends', async () => {
    const returned = await goAndReturn(client);
    Object.assign(config, { SOCIALNET_CLIENT_ID: undefined });
    try {
      const begun = await client.post('/api/socialnet/initiate/', {});
      expect(statusAndCode(begun)).toEqual([503, 'socialnet_not_configured', []]);
      expect(statusAndCode(await comeBack(client, returned))).toEqual([503, 'socialnet_not_configured', []]);
    } finally {
      Object.assign(config, { SOCIALNET_CLIENT_ID: CLIENT.id });
    }
  });
});

describe('an account of the network', () => {
  test('an account linked again gets new tokens and no second mail', async () => {
    const email = aStranger();
    await comeBack(client, await goAndReturn(client, {}, { email }));
    const [before] = await linked(person.userId);
    const again = await comeBack(client, await goAndReturn(client, {}, { email, name: 'New Name' }));
    expect([again.status, again.body.id, again.body.name]).toEqual([200, before?.['id'], 'New Name']);
    const [after] = await linked(person.userId);
    expect(after?.['access_token_encrypted']).not.toBe(before?.['access_token_encrypted']);
    expect(await asOwner('SELECT 1 FROM account_notices WHERE user_id = $1', [person.userId])).toHaveLength(1);
  });

  test('an account does not replace another linked one', async () => {
    await comeBack(client, await goAndReturn(client));
    const refused = await comeBack(client, await goAndReturn(client));
    expect(statusAndCode(refused)).toEqual([409, 'socialnet_other_account_linked', []]);
  });

  test('an account belongs to one person until they remove it', async () => {
    const email = aStranger();
    const mine = await comeBack(client, await goAndReturn(client, {}, { email }));
    const other = as(await aMember(world.organizationId, world.chapterId));
    const refused = await comeBack(other, await goAndReturn(other, {}, { email }));
    expect(statusAndCode(refused)).toEqual([409, 'socialnet_account_taken', []]);
    expect((await client.delete(`/api/socialnet/accounts/${mine.body.id}/`)).status).toBe(204);
    expect((await comeBack(other, await goAndReturn(other, {}, { email }))).status).toBe(200);
  });

  test('an account linked by two people at once is one of theirs', async () => {
    const email = aStranger();
    const other = as(await aMember(world.organizationId, world.chapterId));
    const [one, two] = [await goAndReturn(client, {}, { email }), await goAndReturn(other, {}, { email })];
    const answers = await Promise.all([comeBack(client, one), comeBack(other, two)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('an account linked twice at once by its owner is linked once', async () => {
    const email = aStranger();
    const both = [await goAndReturn(client, {}, { email }), await goAndReturn(client, {}, { email })];
    const answers = await Promise.all(both.map((returned) => comeBack(client, returned)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await linked(person.userId)).toHaveLength(1);
  });

  test('an account is not linked to a session that ended during the request to the network', async () => {
    const returned = await goAndReturn(client);
    network.injectFault(PATHS.userinfo, () =>
      asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [person.userId]),
    );
    expect(statusAndCode(await comeBack(client, returned))).toEqual([401, 'session_ended', []]);
    expect(await linked(person.userId)).toEqual([]);
  });

  test('the tokens of an account are encrypted, each bound to its row and column', async () => {
    const { body } = await comeBack(client, await goAndReturn(client));
    const [row] = await linked(person.userId);
    const place = (column: string) => ({ table: 'social_accounts', column, rowId: body.id as string });
    const stored = (column: string) => row?.[column] as string;
    for (const column of ['access_token_encrypted', 'refresh_token_encrypted']) {
      expect(stored(column)).toMatch(/^v1\./);
      expect(decrypt(stored(column), place(column))).toMatch(/^[\w-]{43}$/);
      expect(() => decrypt(stored(column), { ...place(column), rowId: person.userId })).toThrow();
    }
    expect(row?.['token_expires_at']).toEqual(expect.any(Date));
    expect(JSON.stringify(body)).not.toContain('token');
  });
});

test.each([
  ['an empty body', {}],
  ['a code that is no text', { code: 1, state: 'x' }],
  ['an endless code', { code: 'x'.repeat(4097), state: 'x' }],
  ['an endless state', { code: 'x', state: 'x'.repeat(201) }],
  ['an unknown field', { code: 'x', state: 'x', user: 'x' }],
])('%s is refused by the name of its field', async (_, body) => {
  const refused = await comeBack(client, body);
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_error']);
});

test('linking needs a signed-in person', async () => {
  const nobody = new Client(api.url);
  for (const path of ['initiate', 'callback']) {
    expect(statusAndCode(await nobody.post(`/api/socialnet/${path}/`, {}))).toEqual([401, 'not_authenticated', []]);
  }
});
