import { AUDIT_LOG } from '../../support/auditLog.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aMailbox } from '../../support/accountMail.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { statuses } from '../organizations/statuses.support.js';
import { forgetAttempts, givePassword, logIn, PASSWORD } from './accounts.support.js';

const NEW = 'walnut-comet-drizzle-19';

let person: Person;
let mine: Client;
let counter = 0;

const mailbox = aMailbox();
const { api, world } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  mailbox.catcher.mails.clear();
  person = await aMember(world.organizationId, world.chapterId);
  mine = as(person);
});

const as = ({ token }: { token: string }) => new Client(api.url, { token });
const address = () => `further${(counter += 1)}@example.org`;
const path = (id = '', action = '') => `/api/auth/emails/${id && `${id}/`}${action && `${action}/`}`;
const list = async (client = mine) => (await client.get(path())).body.results;
const verify = (token: string) => new Client(api.url).post(path('', 'verify'), { token });
const subjects = async (to: string) => (await mailbox.to(to)).map(({ subject }) => subject);
const staleProof = (userId: string) =>
  asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [userId]);
const eventsOf = async (userId: string) =>
  (await asOwner('SELECT kind FROM security_events WHERE user_id = $1 ORDER BY id', [userId])).map(
    (row) => row['kind'],
  );

/** Adds an address and verifies it. @returns its id */
async function verified(email: string, client = mine): Promise<string> {
  const { body } = await client.post(path(), { email });
  expect((await verify(await mailbox.tokenFor(email))).status).toBe(204);
  return body.id;
}

describe('the list of addresses', () => {
  test('the list begins with the primary address, which counts as verified without a row of its own', async () => {
    expect(await list()).toMatchObject([{ email: person.email, is_primary: true, is_verified: true }]);
    await mine.post(path(), { email: address() });
    expect(await list()).toMatchObject([{ is_primary: true }, { is_primary: false, is_verified: false }]);
  });

  test('the list shows a primary address that another person has proven as not verified', async () => {
    const other = await aMember(world.organizationId, world.chapterId);
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      other.userId,
      person.email,
    ]);
    expect(await list()).toMatchObject([{ is_primary: true, is_verified: false }]);
  });

  test('the list costs the same statements for any number of addresses, and is paginated', async () => {
    await mine.get(path());
    const one = await countStatements(() => mine.get(path()));
    for (let n = 0; n < 5; n += 1)
      await asOwner('INSERT INTO user_emails (user_id, email) VALUES ($1, $2)', [person.userId, address()]);
    expect(await countStatements(() => mine.get(path()))).toBe(one);
    const page = (await mine.get(`${path()}?page_size=2&page=3`)).body;
    expect([page.count, page.results.length, page.next]).toEqual([6, 2, null]);
    expect((await mine.get(`${path()}?page=9`)).body.code).toBe('page_not_found');
  });

  test('the list requires a signed-in person', async () => {
    expect((await new Client(api.url).get(path())).status).toBe(401);
  });
});

describe('an added address', () => {
  test('an added address signs in only after its mailbox has answered', async () => {
    await givePassword(person.userId);
    const email = address();
    const { status, body } = await mine.post(path(), { email: ` ${email.toUpperCase()} ` });
    expect({ status, body }).toMatchObject({ status: 201, body: { email, is_verified: false, is_primary: false } });
    expect((await logIn(new Client(api.url), { email })).status).toBe(401);
    expect((await verify(await mailbox.tokenFor(email))).status).toBe(204);
    expect((await logIn(new Client(api.url), { email })).body.user.id).toBe(person.userId);
  });

  test('an added address is announced to the earlier addresses and in both logs', async () => {
    const email = address();
    await verified(email);
    expect(await subjects(person.email)).toEqual(['An e-mail address was added to your account']);
    expect(await subjects(email)).toEqual(['Confirm your e-mail address']);
    expect(await eventsOf(person.userId)).toEqual(['email.added', 'email.verified']);
    const [own] = await asOwner(
      "SELECT details, session_id FROM security_events WHERE user_id = $1 AND kind = 'email.added'",
      [person.userId],
    );
    expect(own).toEqual({ details: { email }, session_id: expect.any(String) });
    // The organization's log does not show a private address.
    const audited = await asOwner(`SELECT after FROM ${AUDIT_LOG} WHERE subject_id = $1 AND action = 'email.added'`, [
      person.userId,
    ]);
    expect(audited).toEqual([{ after: null }]);
  });

  test('an added address has its token stored only as a digest', async () => {
    const email = address();
    await mine.post(path(), { email });
    const token = await mailbox.tokenFor(email);
    expect(token).toMatch(/^[\w-]{43}$/);
    const tables = ['user_emails', 'account_notices', 'outbox', 'audit_log', 'audit_values', 'security_events'];
    for (const table of tables)
      expect([table, JSON.stringify(await asOwner(`SELECT * FROM ${table}`)).includes(token)]).toEqual([table, false]);
  });

  test('an address is refused if it is a duplicate, malformed, or one too many', async () => {
    const email = address();
    await mine.post(path(), { email });
    expect(await mine.post(path(), { email })).toMatchObject({ status: 409, body: { code: 'email_exists' } });
    expect(await mine.post(path(), { email: person.email })).toMatchObject({ body: { code: 'email_exists' } });
    for (const bad of [
      'nobody',
      'a@b',
      '',
      `${'x'.repeat(250)}@example.org`,
      'a@example.org\nBcc: b@example.org',
      '\u212Aim@example.org',
    ])
      expect((await mine.post(path(), { email: bad })).body.errors).toHaveProperty('email');
    for (let n = 0; n < 9; n += 1)
      await asOwner('INSERT INTO user_emails (user_id, email) VALUES ($1, $2)', [person.userId, address()]);
    expect(await mine.post(path(), { email: address() })).toMatchObject({ status: 409, body: { code: 'email_limit' } });
  });

  test('an address of another person is accepted, and only its mailbox learns that it is taken', async () => {
    const other = await aMember(world.organizationId, world.chapterId);
    const { status, body } = await mine.post(path(), { email: other.email });
    expect({ status, body }).toMatchObject({ status: 201, body: { is_verified: false } });
    expect(await verify(await mailbox.tokenFor(other.email))).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
    expect(await list()).toMatchObject([{}, { is_verified: false }]);
  });

  test('adding an address needs a recent sign-in with password or passkey', async () => {
    await asOwner(`UPDATE sessions SET auth_method = 'oauth', provider_answered_at = now() WHERE user_id = $1`, [
      person.userId,
    ]);
    expect(await mine.post(path(), { email: address() })).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    });
    await asOwner(`UPDATE sessions SET auth_method = 'password' WHERE user_id = $1`, [person.userId]);
    await staleProof(person.userId);
    for (const refused of [
      await mine.post(path(), { email: address() }),
      await mine.post(path(person.userId, 'resend')),
      await mine.post(path(person.userId, 'make-primary')),
      await mine.delete(path(person.userId)),
    ])
      expect(refused.body.code).toBe('step_up_required');
  });
});

describe('a verification token', () => {
  test('a verification token is valid for one use', async () => {
    const email = address();
    await mine.post(path(), { email });
    const token = await mailbox.tokenFor(email);
    const answers = await Promise.all([verify(token), verify(token), verify(token)]);
    expect(statuses(answers)).toEqual([204, 400, 400]);
    expect((await verify(token)).body.code).toBe('verification_token_invalid');
  });

  test('a verification token expires after 24 hours and is then deleted', async () => {
    const email = address();
    await mine.post(path(), { email });
    const token = await mailbox.tokenFor(email);
    const age = (hours: number) =>
      asOwner(`UPDATE user_emails SET verification_sent_at = now() - $2 * interval '1 hour' WHERE email = $1`, [
        email,
        hours,
      ]);
    await age(24);
    expect((await verify(token)).status).toBe(400);
    await age(1);
    expect((await verify(token)).status).toBe(400);
  });

  test('a verification token is replaced by the next one, which is sent a minute later at the earliest', async () => {
    const email = address();
    const { body } = await mine.post(path(), { email });
    const first = await mailbox.tokenFor(email);
    const early = await mine.post(path(body.id, 'resend'));
    expect([early.status, Number(early.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await asOwner(`UPDATE user_emails SET verification_sent_at = now() - interval '61 seconds' WHERE email = $1`, [
      email,
    ]);
    expect((await mine.post(path(body.id, 'resend'))).status).toBe(204);
    expect((await verify(first)).status).toBe(400);
    expect((await verify(await mailbox.tokenFor(email))).status).toBe(204);
    expect((await mine.post(path(body.id, 'resend'))).body.code).toBe('email_verified_already');
  });

  test('a verification token proves nothing after another person has proven the address', async () => {
    const [email, other] = [address(), await aMember(world.organizationId, world.chapterId)];
    await mine.post(path(), { email });
    const token = await mailbox.tokenFor(email);
    await verified(email, as(other));
    expect(await verify(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  });

  test('concurrent verification tokens of two people prove the address for one of them', async () => {
    const [email, other] = [address(), await aMember(world.organizationId, world.chapterId)];
    await mine.post(path(), { email });
    const first = await mailbox.tokenFor(email);
    await as(other).post(path(), { email });
    const second = await mailbox.tokenFor(email);
    const answers = await Promise.all([verify(first), verify(second)]);
    expect(statuses(answers)).toEqual([204, 409]);
  });

  test.each([
    ['changed', () => mine.post('/api/auth/password/change/', { current_password: PASSWORD, new_password: NEW })],
    [
      'reset',
      async () => {
        await new Client(api.url).post('/api/auth/password/reset/', { email: person.email });
        const token = await mailbox.tokenFor(person.email);
        return new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: NEW });
      },
    ],
  ])(
    'a verification token from before the password was %s proves nothing, because its owner may be a person who knew the old one',
    async (_how, act) => {
      await givePassword(person.userId);
      const email = address();
      const { body } = await mine.post(path(), { email });
      const token = await mailbox.tokenFor(email);
      expect((await act()).status).toBeLessThan(300);
      expect((await verify(token)).body.code).toBe('verification_token_invalid');
      expect(await asOwner('SELECT is_verified FROM user_emails WHERE id = $1', [body.id])).toEqual([
        { is_verified: false },
      ]);
    },
  );

  test('a verification token of a disabled account and a made-up token are refused', async () => {
    const email = address();
    await mine.post(path(), { email });
    const token = await mailbox.tokenFor(email);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect((await verify(token)).status).toBe(400);
    expect((await verify('x'.repeat(43))).body.code).toBe('verification_token_invalid');
    expect((await new Client(api.url).post(path('', 'verify'), {})).body.errors).toHaveProperty('token');
  });
});

describe('the primary address', () => {
  test('a person changes the primary address to a verified one, and the old address stays in the list and is notified', async () => {
    await givePassword(person.userId);
    const email = address();
    const id = await verified(email);
    const { status, body } = await mine.post(path(id, 'make-primary'));
    expect({ status, body }).toMatchObject({ status: 200, body: { email, is_primary: true } });
    expect(await list()).toMatchObject([{ email }, { email: person.email, is_verified: true, is_primary: false }]);
    expect(await subjects(person.email)).toContain('The primary e-mail address of your account was changed');
    expect((await mine.get('/api/auth/me/')).body.user.email).toBe(email);
    expect((await logIn(new Client(api.url), { email: person.email })).body.user.id).toBe(person.userId);
  });

  test('an unverified address cannot become the primary one', async () => {
    const { body } = await mine.post(path(), { email: address() });
    expect(await mine.post(path(body.id, 'make-primary'))).toMatchObject({
      status: 409,
      body: { code: 'email_not_verified' },
    });
  });

  test('the primary address of another person cannot become the primary one', async () => {
    const other = await aMember(world.organizationId, world.chapterId);
    const [row] = await asOwner<{ id: string }>(
      'INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true) RETURNING id',
      [person.userId, other.email],
    );
    expect(await mine.post(path(row?.id, 'make-primary'))).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
  });

  test('the primary address cannot be removed', async () => {
    expect(await mine.delete(path(person.userId))).toMatchObject({ status: 409, body: { code: 'email_is_primary' } });
  });
});

describe('a removed address', () => {
  test('a removed address signs in no longer, and all verified addresses are notified, including the removed one', async () => {
    await givePassword(person.userId);
    const email = address();
    const id = await verified(email);
    expect((await mine.delete(path(id))).status).toBe(204);
    expect((await logIn(new Client(api.url), { email })).status).toBe(401);
    for (const to of [email, person.email])
      expect(await subjects(to)).toContain('An e-mail address was removed from your account');
    expect(await eventsOf(person.userId)).toContain('email.removed');
    expect((await mine.delete(path(id))).status).toBe(404);
  });

  test('the last verified address cannot be removed', async () => {
    const other = await aMember(world.organizationId, world.chapterId);
    const id = await verified(address());
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      other.userId,
      person.email,
    ]);
    expect(await mine.delete(path(id))).toMatchObject({ status: 409, body: { code: 'email_last_verified' } });
  });

  test('of two concurrent removals of the only verified addresses, one is refused', async () => {
    const other = await aMember(world.organizationId, world.chapterId);
    const ids = [await verified(address()), await verified(address())];
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      other.userId,
      person.email,
    ]);
    const answers = await Promise.all(ids.map((id) => mine.delete(path(id))));
    expect(statuses(answers)).toEqual([204, 409]);
  });
});

test("another person's address answers 404", async () => {
  const other = await aMember(world.organizationId, world.chapterId);
  const { id } = (await as(other).post(path(), { email: address() })).body;
  for (const wrong of [id, other.userId, 'ffffffff-ffff-4fff-bfff-ffffffffffff']) {
    expect((await mine.post(path(wrong, 'resend'))).status).toBe(404);
    expect((await mine.post(path(wrong, 'make-primary'))).status).toBe(404);
    expect((await mine.delete(path(wrong))).status).toBe(404);
  }
  expect(await list(as(other))).toHaveLength(2);
});

test('verification mails count toward the limit of the person who requests them', async () => {
  for (let n = 0; n < 20; n += 1) await mine.post(path(), { email: 'not an address' });
  expect((await mine.post(path(), { email: address() })).status).toBe(429);
});
