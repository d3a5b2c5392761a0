import { randomBytes } from 'node:crypto';
import { decrypt } from '../../../models/database/encryption.js';
import { verifyToken } from '../../../models/identity/tokens.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person, signIn } from '../../support/world.js';
import { forgetAttempts, givePassword, PASSWORD } from '../identity/accounts.support.js';

const stage = apiWorld();
const PATH = '/api/push-tokens/';

let person: Person;
beforeEach(async () => {
  await forgetAttempts();
  person = await aMember(stage.world.organizationId, stage.world.chapterId);
});

interface Phone {
  id: string;
  is_active: boolean;
  deactivated_reason: string | null;
}

const value = () => randomBytes(32).toString('hex');
const body = (token = value(), more: object = {}) => ({ platform: 'ios', token, ...more });
const register = async (token = value(), by: { token: string } = person) =>
  (await stage.as(by).post<Phone>(PATH, body(token))).body;
const phones = async (of: { token: string } = person) =>
  (await stage.as(of).get<{ results: Phone[] }>(PATH)).body.results;
const sessionOf = ({ token }: { token: string }) => (verifyToken(token, 'access') as { sid: string }).sid;

describe('registering a phone', () => {
  test('a new phone is registered with 201, and a known one with 200', async () => {
    const token = value();
    const first = await stage.as(person).post<Phone>(PATH, body(token, { device_name: "Kim's phone" }));
    expect(first).toMatchObject({
      status: 201,
      body: {
        platform: 'ios',
        environment: 'production',
        device_name: "Kim's phone",
        is_active: true,
        deactivated_reason: null,
        last_registered_at: expect.any(String),
        version: 1,
      },
    });
    expect(Object.keys(first.body).filter((name) => /token|hash|user|session|confined/.test(name))).toEqual([]);
    const again = await stage.as(person).post<Phone>(PATH, body(token.toUpperCase(), { environment: 'sandbox' }));
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, environment: 'sandbox' } });
    expect(await phones()).toHaveLength(1);
  });

  test('the token is encrypted and found by a digest', async () => {
    const token = value();
    const { id } = await register(token);
    const [row] = await asOwner<{ token_encrypted: string; token_hash: string }>(
      'SELECT token_encrypted, token_hash FROM push_tokens WHERE id = $1',
      [id],
    );
    expect(JSON.stringify(row)).not.toContain(token);
    const place = { table: 'push_tokens', column: 'token_encrypted', rowId: id };
    expect(decrypt(row?.token_encrypted ?? '', place)).toBe(token);
  });

  test.each([
    [{ platform: 'ios', token: 'not hexadecimal' }, 'token'],
    [{ platform: 'ios', token: 'ab' }, 'token'],
    [{ platform: 'android', token: `${'a'.repeat(30)}/../x` }, 'token'],
    [{ platform: 'windows', token: value() }, 'platform'],
    [{ token: value() }, 'platform'],
    [{ platform: 'ios', token: value(), environment: 'test' }, 'environment'],
    [{ platform: 'ios', token: value(), device_name: 'x'.repeat(101) }, 'device_name'],
    [{ platform: 'ios', token: value(), user: 'x' }, 'user'],
  ])('the registration %j is refused', async (wrong, field) => {
    const refused = await stage.as(person).post<{ errors: object }>(PATH, wrong);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
  });

  test('a registration takes the phone from the previous person', async () => {
    const token = value();
    const { id } = await register(token);
    expect((await stage.member.post(PATH, body(token))).status).toBe(201);
    expect(await phones()).toEqual([]);
    expect(await phones(stage.world.member)).toEqual([expect.objectContaining({ id, is_active: true })]);
    expect((await stage.as(person).delete(`${PATH}${id}/`)).status).toBe(404);
  });

  test('concurrent registrations of one phone make one row, which belongs to one of the people', async () => {
    const token = value();
    const people = await Promise.all(
      Array.from({ length: 4 }, () => aMember(stage.world.organizationId, stage.world.chapterId)),
    );
    const answers = await Promise.all(people.map((one) => stage.as(one).post(PATH, body(token))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const registered = await Promise.all(people.map((one) => phones(one)));
    expect(registered.flat()).toHaveLength(1);
  });

  test('a person keeps the newest hundred of a hundred and one phones', async () => {
    await asOwner(
      `INSERT INTO push_tokens (user_id, platform, token_encrypted, token_hash, last_registered_at)
       SELECT $1::uuid, 'ios', 'x', translate(encode(sha256((n || $1::uuid::text)::bytea), 'base64'), '+/=', '-_'), now() - n * interval '1 day'
         FROM generate_series(1, 100) n`,
      [person.userId],
    );
    await register();
    expect(
      await asOwner(
        `SELECT is_active, deactivated_reason, count(*)::int FROM push_tokens WHERE user_id = $1 GROUP BY 1, 2 ORDER BY 1 DESC`,
        [person.userId],
      ),
    ).toEqual([
      { is_active: true, deactivated_reason: null, count: 100 },
      { is_active: false, deactivated_reason: 'replaced', count: 1 },
    ]);
  });
});

test('the list is one statement for any number of phones', async () => {
  await register();
  const one = await countStatements(() => phones());
  for (let n = 0; n < 3; n += 1) await register();
  expect(await countStatements(() => phones())).toBe(one);
  expect(await phones()).toHaveLength(4);
});

describe('removing a phone', () => {
  test('a removed phone gets no more pushes, and the removal may be repeated', async () => {
    const { id } = await register();
    for (let n = 0; n < 2; n += 1) expect((await stage.as(person).delete(`${PATH}${id}/`)).status).toBe(204);
    expect(await phones()).toMatchObject([{ id, is_active: false, deactivated_reason: 'removed' }]);
  });

  test("removing another person's phone is a 404 like that of an unknown one", async () => {
    const { id } = await register();
    await expectNowhere(id, (one) => stage.member.delete(`${PATH}${one}/`));
    expect(await phones()).toMatchObject([{ is_active: true }]);
  });
});

test('an anonymous caller can neither list nor register phones', async () => {
  expect((await stage.nobody.get(PATH)).status).toBe(401);
  expect((await stage.nobody.post(PATH, body())).status).toBe(401);
});

describe('the end of a session deactivates its phone', () => {
  const ended = async (id: string) =>
    expect(await asOwner('SELECT is_active, deactivated_reason FROM push_tokens WHERE id = $1', [id])).toEqual([
      { is_active: false, deactivated_reason: 'session_ended' },
    ]);

  test('log-out deactivates the phone of the session', async () => {
    const { id } = await register();
    expect((await stage.as(person).post('/api/auth/logout/')).status).toBe(204);
    await ended(id);
  });

  test("ending a session from another one deactivates its phone and keeps the other's", async () => {
    const { id } = await register();
    const other = { token: await signIn(person.userId, stage.world.organizationId) };
    const otherPhone = await register(value(), other);
    expect((await stage.as(other).delete(`/api/auth/sessions/${sessionOf(person)}/`)).status).toBe(204);
    await ended(id);
    expect(await phones(other)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: otherPhone.id, is_active: true })]),
    );
  });

  test('a password change deactivates phones of other sessions, even of expired ones', async () => {
    await givePassword(person.userId);
    const { id } = await register();
    await asOwner(`UPDATE sessions SET expires_at = now() - interval '6 days' WHERE id = $1`, [sessionOf(person)]);
    const other = { token: await signIn(person.userId, stage.world.organizationId) };
    const changed = await stage
      .as(other)
      .post('/api/auth/password/change/', { current_password: PASSWORD, new_password: 'orchid-lantern-47-willow' });
    expect(changed.status).toBeLessThan(300);
    await ended(id);
  });

  test('an expired session keeps its phone active', async () => {
    const { id } = await register();
    await asOwner(`UPDATE sessions SET expires_at = now() - interval '6 days' WHERE id = $1`, [sessionOf(person)]);
    const other = { token: await signIn(person.userId, stage.world.organizationId) };
    expect(await phones(other)).toMatchObject([{ id, is_active: true }]);
  });

  test('a session that has just ended cannot register a phone', async () => {
    await asOwner('UPDATE sessions SET revoked_at = now() WHERE id = $1', [sessionOf(person)]);
    expect((await stage.as(person).post(PATH, body())).status).toBe(401);
  });
});

describe('a phone of a session that an identity provider began', () => {
  const confined = async () => {
    const token = await signIn(person.userId, stage.world.organizationId);
    await asOwner(
      `UPDATE sessions SET confined = true, auth_method = 'oauth', provider_answered_at = now() WHERE id = $1`,
      [sessionOf({ token })],
    );
    return { token };
  };

  test('an SSO session registers phones for its organization only and sees no others', async () => {
    const own = await register();
    const here = await confined();
    const { id } = await register(value(), here);
    expect(await asOwner('SELECT confined_to FROM push_tokens WHERE id = $1', [id])).toEqual([
      { confined_to: stage.world.organizationId },
    ]);
    expect((await phones(here)).map((one) => one.id)).toEqual([id]);
    expect((await stage.as(here).delete(`${PATH}${own.id}/`)).status).toBe(404);
    expect((await phones()).map((one) => one.id)).toEqual([id, own.id]);
  });
});
