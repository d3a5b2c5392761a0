/** Tests how people manage their own passkeys, and how often they are asked to set one up. */
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { Authenticator } from '../../support/authenticator.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember } from '../../support/world.js';
import { forgetAttempts, givePassword } from './accounts.support.js';
import { aHolder, beginSignIn, type Holder, ORIGIN, register, signInWith } from './passkeys.support.js';

const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);

const LIST = '/api/auth/passkeys/';
const browser = () => new Client(api.url);
const noticesOf = (userId: string) =>
  asOwner<{ kind: string; facts: object }>('SELECT kind, facts FROM account_notices WHERE user_id = $1 ORDER BY id', [
    userId,
  ]);

describe('the list of passkeys', () => {
  test("the list shows the person's own passkeys, newest first, with the time of last use", async () => {
    const { client, authenticator, passkeyId } = await aHolder(api.url, world);
    await aHolder(api.url, world);
    const second = await register(client, new Authenticator(ORIGIN), { name: 'Second' });
    await signInWith(browser(), authenticator);
    const { status, body } = await client.get(LIST);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      count: 2,
      results: [
        { id: second.body.id, name: 'Second', last_used_at: null },
        { id: passkeyId, name: 'Passkey', last_used_at: expect.any(String) },
      ],
    });
    expect(Object.keys(body.results[0]).sort()).toEqual([
      'created_at',
      'id',
      'is_synced',
      'last_used_at',
      'name',
      'needs_reenrollment',
    ]);
  });

  test('the list is paginated', async () => {
    const { client } = await aHolder(api.url, world);
    await register(client, new Authenticator(ORIGIN));
    const first = (await client.get(`${LIST}?page_size=1`)).body;
    expect([first.count, first.results.length]).toEqual([2, 1]);
    expect((await client.get(`${LIST}?page_size=1&page=2`)).body.results).toHaveLength(1);
    expect((await client.get(`${LIST}?page_size=1&page=3`)).body.code).toBe('page_not_found');
  });

  test('the list takes the same number of statements for many passkeys as for one', async () => {
    const { userId, token } = await aMember(world.organizationId, world.chapterId);
    const client = new Client(api.url, { token });
    const more = (from: number, to: number) =>
      asOwner(
        `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
         SELECT $1, $2 || n, '\\x00', 0, false, 'One more' FROM generate_series($3::int, $4::int) n`,
        [userId, userId, from, to],
      );
    await more(1, 1);
    const one = await countStatements(() => client.get(LIST));
    await more(2, 20);
    expect(await countStatements(() => client.get(LIST))).toBe(one);
    expect((await client.get(LIST)).body.count).toBe(20);
  });

  test('the list requires a signed-in person', async () => {
    for (const [method, path] of [
      ['GET', LIST],
      ['GET', `${LIST}enrollment/`],
      ['POST', `${LIST}enrollment/dismiss/`],
      ['POST', `${LIST}register/begin/`],
      ['POST', `${LIST}register/complete/`],
    ] as const)
      expect((await browser().send(method, path)).body.code).toBe('not_authenticated');
  });
});

describe('the name of a passkey', () => {
  test('a passkey is renamed by its owner', async () => {
    const { client, passkeyId } = await aHolder(api.url, world);
    const { status, body } = await client.patch(`${LIST}${passkeyId}/`, { name: ' Phone ' });
    expect([status, body.name]).toEqual([200, 'Phone']);
    expect((await client.get(LIST)).body.results[0].name).toBe('Phone');
  });

  test.each([
    ['empty', { name: '  ' }, 'name'],
    ['too long', { name: 'x'.repeat(101) }, 'name'],
    ['missing', {}, 'name'],
    ['not alone', { name: 'Phone', counter: 0 }, 'counter'],
  ])('a name that is %s is a 400 that names the field', async (_name, body, field) => {
    const { client, passkeyId } = await aHolder(api.url, world);
    const answer = await client.patch(`${LIST}${passkeyId}/`, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });
});

describe('removing a passkey', () => {
  const remove = ({ client, passkeyId }: Pick<Holder, 'client' | 'passkeyId'>) => client.delete(`${LIST}${passkeyId}/`);

  test('the last way to sign in cannot be removed', async () => {
    const holder = await aHolder(api.url, world);
    const refused = await remove(holder);
    expect([refused.status, refused.body.code]).toEqual([409, 'last_sign_in_method']);
    expect((await signInWith(browser(), holder.authenticator)).status).toBe(200);
  });

  test('a passkey is removed by a person with a password, who is notified by mail', async () => {
    const holder = await aHolder(api.url, world);
    await givePassword(holder.person.userId);
    expect((await remove(holder)).status).toBe(204);
    expect((await signInWith(browser(), holder.authenticator)).body.code).toBe('passkey_invalid');
    expect((await noticesOf(holder.person.userId)).at(-1)).toEqual({
      kind: 'passkey_removed',
      facts: { passkey: 'Passkey' },
    });
    const events = await asOwner("SELECT 1 FROM security_events WHERE user_id = $1 AND kind = 'passkey.removed'", [
      holder.person.userId,
    ]);
    expect(events).toHaveLength(1);
  });

  test('a passkey is removed by a person with another passkey, unless that one is disabled', async () => {
    const holder = await aHolder(api.url, world);
    const second = new Authenticator(ORIGIN);
    second.counter = 5;
    const { body } = await register(holder.client, second);
    await signInWith(browser(), second, { counter: 1 });
    expect((await remove(holder)).body.code).toBe('last_sign_in_method');
    expect((await remove({ ...holder, passkeyId: body.id })).status).toBe(204);
    await register(holder.client, new Authenticator(ORIGIN));
    expect((await remove(holder)).status).toBe(204);
  });

  test('a passkey is removed by a person with an SSO identity whose connection is active', async () => {
    const holder = await aHolder(api.url, world);
    const connection = await linkTo(holder.person.userId);
    await asOwner('UPDATE sso_connections SET is_active = false WHERE id = $1', [connection]);
    expect((await remove(holder)).body.code).toBe('last_sign_in_method');
    await asOwner('UPDATE sso_connections SET is_active = true WHERE id = $1', [connection]);
    expect((await remove(holder)).status).toBe(204);
  });

  test('of two concurrent removals one keeps the last passkey', async () => {
    const holder = await aHolder(api.url, world);
    const { body } = await register(holder.client, new Authenticator(ORIGIN));
    const answers = await Promise.all([remove(holder), remove({ ...holder, passkeyId: body.id })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  });

  test("renaming or removing another person's, an unknown or a malformed passkey gives the same 404", async () => {
    const [holder, neighbour, stranger] = [
      await aHolder(api.url, world),
      await aHolder(api.url, world),
      await aHolder(api.url, other),
    ];
    const ids = [neighbour.passkeyId, stranger.passkeyId, '01980c6e-2f4b-7c1a-9d3e-5b8f0a1c2d3e', 'nonsense'];
    for (const id of ids) {
      const answers = [
        await holder.client.delete(`${LIST}${id}/`),
        await holder.client.patch(`${LIST}${id}/`, { name: 'Mine' }),
      ];
      for (const { status, body } of answers)
        expect([status, body]).toEqual([404, { code: 'not_found', detail: 'Not found.' }]);
    }
    expect((await neighbour.client.get(LIST)).body.results).toMatchObject([{ name: 'Passkey' }]);
  });

  async function linkTo(userId: string): Promise<string> {
    const [connection] = await asOwner<{ id: string }>(
      `INSERT INTO sso_connections (id, organization_id, kind, slug, name, provider, domains)
       VALUES (gen_random_uuid(), $1, 'oauth', $2, 'Sign-on', 'generic', '{example.org}') RETURNING id`,
      [world.organizationId, `passkeys-${userId}`],
    );
    const { id } = connection as { id: string };
    await asOwner(
      'INSERT INTO sso_identities (organization_id, connection_id, user_id, issuer, subject) VALUES ($1, $2, $3, $4, $5)',
      [world.organizationId, id, userId, 'https://idp.example.org', userId],
    );
    return id;
  }
});

describe('the offer to set up a passkey', () => {
  const PATH = `${LIST}enrollment/`;
  const offer = async (client: Client) => (await client.get(PATH)).body;
  const aClient = async () => {
    const person = await aMember(world.organizationId, world.chapterId);
    return { person, client: new Client(api.url, { token: person.token }) };
  };

  test('the offer is shown without a passkey and hidden for 30 days after it was dismissed', async () => {
    const { client, person } = await aClient();
    expect(await offer(client)).toEqual({ show: true, has_passkey: false, dismissed_until: null });

    const { status, body } = await client.post(`${PATH}dismiss/`);
    expect([status, body.show]).toEqual([200, false]);
    const days = (new Date(body.dismissed_until).getTime() - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    const back = (interval: string) =>
      asOwner(
        `UPDATE passkey_enrollment_dismissals SET dismissed_at = now() - interval '${interval}' WHERE user_id = $1`,
        [person.userId],
      );
    await back('29 days 23 hours');
    expect((await offer(client)).show).toBe(false);
    await back('30 days');
    expect(await offer(client)).toEqual({ show: true, has_passkey: false, dismissed_until: null });

    expect((await client.post(`${PATH}dismiss/`)).body.show).toBe(false);
    expect((await offer((await aClient()).client)).show).toBe(true);
  });

  test('the offer disappears once a passkey exists and returns when it is removed', async () => {
    const { client, person } = await aClient();
    await givePassword(person.userId);
    const { body } = await register(client, new Authenticator(ORIGIN));
    expect(await offer(client)).toMatchObject({ show: false, has_passkey: true });
    await client.delete(`${LIST}${body.id}/`);
    expect((await offer(client)).show).toBe(true);
  });
});

describe('throttles of passkeys', () => {
  test('a client may begin 60 sign-ins a minute and complete 30', async () => {
    const until429 = async (path: string, body: unknown) => {
      for (let n = 1; n <= 100; n += 1) {
        const { status, headers } = await browser().post(path, body);
        if (status === 429) return [n, Number(headers.get('retry-after')) > 0];
      }
      return null;
    };
    expect(await until429(`${LIST}authenticate/begin/`, {})).toEqual([61, true]);
    expect(await until429(`${LIST}authenticate/complete/`, {})).toEqual([31, true]);
    const { client } = await aHolder(api.url, world);
    expect((await client.post(`${LIST}register/begin/`)).status).toBe(200);
  });
});

describe('step-up by passkey', () => {
  const stepUp = (client: Client, authenticator: Authenticator, options: { challenge: string }, deviation = {}) =>
    client.post('/api/auth/step-up/', { passkey: authenticator.get(options, deviation) });

  test("a passkey of the same person makes the session's proof recent", async () => {
    const { client, person, authenticator } = await aHolder(api.url, world);
    await asOwner(
      "UPDATE sessions SET auth_time = now() - interval '1 hour', auth_method = 'saml', provider_answered_at = now() WHERE user_id = $1",
      [person.userId],
    );
    expect((await client.post(`${LIST}register/begin/`)).body.code).toBe('step_up_required');
    const options = await beginSignIn(client);
    expect((await stepUp(client, authenticator, options)).body).toMatchObject({ auth_method: 'passkey' });
    expect((await client.post(`${LIST}register/begin/`)).status).toBe(200);
    expect((await stepUp(client, authenticator, options)).body.code).toBe('passkey_challenge_invalid');
  });

  test("another person's, a forged and a copied passkey do not make the proof recent", async () => {
    const [holder, neighbour] = [await aHolder(api.url, world, 5), await aHolder(api.url, world)];
    await asOwner("UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1", [
      holder.person.userId,
    ]);
    const codes = [];
    for (const [authenticator, deviation] of [
      [neighbour.authenticator, {}],
      [holder.authenticator, { forged: true }],
      [holder.authenticator, { counter: 4 }],
    ] as const)
      codes.push((await stepUp(holder.client, authenticator, await beginSignIn(holder.client), deviation)).body.code);
    expect(codes).toEqual(['passkey_invalid', 'passkey_invalid', 'passkey_needs_reenrollment']);
    expect((await holder.client.post(`${LIST}register/begin/`)).body.code).toBe('step_up_required');
    const events = await asOwner<{ kind: string }>(
      "SELECT kind FROM security_events WHERE user_id = $1 AND kind <> 'passkey.added' ORDER BY id",
      [holder.person.userId],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['step_up.refused', 'step_up.refused', 'passkey.suspected']);
  });
});
