import { mailNotice, aMailbox } from '../../support/accountMail.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aUser, type Person } from '../../support/world.js';
import { statuses } from '../organizations/statuses.support.js';
import { aNativeClient, forgetAttempts, givePassword, logIn, PASSWORD } from './accounts.support.js';

const NEW = 'walnut-comet-drizzle-19';

let person: Person;

const mailbox = aMailbox();
const { api, world } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  mailbox.catcher.mails.clear();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const anybody = () => new Client(api.url);
const ask = (email: string) => anybody().post('/api/auth/password/reset/', { email });
const confirm = (token: string, new_password = NEW) =>
  anybody().post('/api/auth/password/reset/confirm/', { token, new_password });
const signsIn = async (password: string) => (await logIn(anybody(), { email: person.email, password })).status === 200;

/** Requests a reset and reads its mail. @returns the token */
async function requestToken(email = person.email): Promise<string> {
  expect((await ask(email)).status).toBe(204);
  return mailbox.tokenFor(email);
}

describe('a forgotten password', () => {
  test('a person replaces a forgotten password with the token of the mail, which ends every session', async () => {
    const { client, refreshToken } = await aNativeClient(api.url, person.email);
    const token = await requestToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await confirm(token)).status).toBe(204);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    const refreshed = await anybody().post('/api/auth/token/refresh/', { refresh_token: refreshToken });
    expect(refreshed.body.code).toBe('session_ended');
    expect([await signsIn(PASSWORD), await signsIn(NEW)]).toEqual([false, true]);
  });

  test("a reset is reported by mail, in the person's log and in the organization's audit log", async () => {
    await confirm(await requestToken());
    const subjects = (await mailbox.to(person.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Set a new password', 'Your password was changed']);
    const events = await asOwner('SELECT kind, ip_address FROM security_events WHERE user_id = $1', [person.userId]);
    expect(events).toEqual([{ kind: 'password.reset', ip_address: '127.0.0.1' }]);
    const audited = await asOwner('SELECT action FROM audit_log WHERE organization_id = $1 AND subject_id = $2', [
      world.organizationId,
      person.userId,
    ]);
    expect(audited).toEqual([{ action: 'password.reset' }]);
  });

  test('a reset can be requested for a verified secondary address, whose mailbox gets the mail', async () => {
    const email = `second-${person.email}`;
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      person.userId,
      email,
    ]);
    expect((await confirm(await requestToken(` ${email.toUpperCase()}`.trim()))).status).toBe(204);
    expect(await signsIn(NEW)).toBe(true);
  });

  test('a reset clears the duty to change the password', async () => {
    await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
    await confirm(await requestToken());
    expect((await logIn(anybody(), { email: person.email, password: NEW })).body.user.must_change_password).toBe(false);
  });

  test('a person without a password sets one by a reset', async () => {
    await asOwner('UPDATE users SET password_hash = NULL WHERE id = $1', [person.userId]);
    expect((await confirm(await requestToken())).status).toBe(204);
    expect(await signsIn(NEW)).toBe(true);
  });
});

describe('a request for a reset', () => {
  test('a request gets the same answer by the same statements, with and without an account', async () => {
    await ask(person.email);
    const disabled = 'disabled@example.org';
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [await aUser(disabled)]);
    const answers = [];
    for (const email of [person.email, 'nobody-at-all@example.org', disabled]) {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const statements = await countStatements(async () => (answer = await ask(email)));
      answers.push({ status: answer?.status, body: answer?.body, statements });
      await forgetAttempts();
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 204 });
  });

  test('a request writes the same rows, with and without an account', async () => {
    const written = async (email: string) => {
      await ask(email);
      const [notice] = await asOwner(
        'SELECT user_id, kind, facts, secret_encrypted, expires_at IS NOT NULL AS expires FROM account_notices WHERE email = $1',
        [email],
      );
      return notice;
    };
    const known = await written(person.email);
    expect(known).toEqual({ user_id: null, kind: 'password_reset', facts: {}, secret_encrypted: null, expires: true });
    expect(await written('nobody-here@example.org')).toEqual(known);
    expect(await asOwner('SELECT FROM password_resets WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  test('a request for an unknown address or a disabled account sends no mail, and the address is deleted', async () => {
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    for (const email of [person.email, 'stranger@example.org']) {
      await ask(email);
      const [row] = await asOwner<{ id: string }>('SELECT id FROM account_notices WHERE email = $1', [email]);
      expect(await mailNotice(row?.id as string)).toBe('gone');
      expect(await asOwner('SELECT FROM account_notices WHERE email = $1', [email])).toEqual([]);
    }
    expect(mailbox.catcher.mails.list()).toEqual([]);
  });

  test('requests are limited to three an hour for one address and twenty from one client', async () => {
    for (let n = 0; n < 3; n += 1) expect((await ask(person.email)).status).toBe(204);
    expect((await ask(person.email.toUpperCase())).status).toBe(429);
    for (let n = 0; n < 16; n += 1) expect((await ask(`a${n}@example.org`)).status).toBe(204);
    expect((await ask('one-too-many@example.org')).status).toBe(429);
  });

  test('a request with an invalid address names the field', async () => {
    for (const email of ['nobody', '', 'a@example.org\r\nBcc: b@example.org'])
      expect((await ask(email)).body.errors).toHaveProperty('email');
  });
});

describe('the reset token', () => {
  test('the same token is mailed when the step is retried', async () => {
    await asOwner('UPDATE users SET email = $2 WHERE id = $1', [person.userId, `reject-451@${person.userId}.example`]);
    await ask(`reject-451@${person.userId}.example`);
    const [row] = await asOwner<{ id: string }>('SELECT id FROM account_notices WHERE email LIKE $1', [
      `%${person.userId}%`,
    ]);
    const id = row?.id as string;
    const hash = async () => (await asOwner('SELECT token_hash FROM password_resets'))[0];
    await asOwner('DELETE FROM password_resets');
    await expect(mailNotice(id)).rejects.toThrow();
    const first = await hash();
    await expect(mailNotice(id, 2)).rejects.toThrow();
    expect(first).toEqual(await hash());
    expect(first).toHaveProperty('token_hash');
    await asOwner('DELETE FROM account_notices WHERE id = $1', [id]);
  });

  test("no token is created for an admin's reset if the address changes before the mail is sent", async () => {
    const admin = new Client(api.url, { token: world.admin.token });
    const path = `/api/organizations/${world.organizationId}/users/${person.userId}/password-reset/`;
    expect((await admin.post(path)).status).toBe(204);
    await asOwner('UPDATE users SET email = $2 WHERE id = $1', [person.userId, `new.${person.email}`]);
    expect(await mailbox.to(person.email)).toEqual([]);
    expect(await asOwner('SELECT FROM password_resets WHERE user_id = $1', [person.userId])).toEqual([]);
    expect((await admin.post(path)).status).toBe(204);
    expect((await mailbox.to(`new.${person.email}`)).map(({ subject }) => subject)).toEqual(['Set a new password']);
  });

  test('the token is stored only as a digest', async () => {
    const token = await requestToken();
    for (const table of [
      'password_resets',
      'account_notices',
      'outbox',
      'security_events',
      'audit_log',
      'audit_values',
    ])
      expect([table, JSON.stringify(await asOwner(`SELECT * FROM ${table}`)).includes(token)]).toEqual([table, false]);
  });

  test('the token is valid for one use', async () => {
    const token = await requestToken();
    const answers = await Promise.all([confirm(token), confirm(token, `${NEW}-b`), confirm(token, `${NEW}-c`)]);
    expect(statuses(answers)).toEqual([204, 400, 400]);
    expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'reset_token_invalid' } });
  });

  test('the token expires after an hour', async () => {
    const token = await requestToken();
    const [row] = await asOwner(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM password_resets WHERE user_id = $1',
      [person.userId],
    );
    expect(row).toEqual({ seconds: 3600 });
    await asOwner('UPDATE password_resets SET expires_at = now() WHERE user_id = $1', [person.userId]);
    expect((await confirm(token)).body.code).toBe('reset_token_invalid');
    expect(await signsIn(PASSWORD)).toBe(true);
  });

  test('the token is invalid after another one was requested', async () => {
    const first = await requestToken();
    const second = await requestToken();
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(second)).status).toBe(204);
  });

  test('a refused password does not use up the token', async () => {
    const token = await requestToken();
    for (const weak of ['short', 'password1234', person.email])
      expect((await confirm(token, weak)).body.errors).toHaveProperty('new_password');
    expect((await confirm(token)).status).toBe(204);
  });

  test('the token is invalid for an account that was disabled meanwhile', async () => {
    const token = await requestToken();
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect((await confirm(token)).status).toBe(400);
  });

  test('the token is invalid after the password was changed or the address was removed', async () => {
    const { client } = await aNativeClient(api.url, person.email);
    const changed = await requestToken();
    const passwords = { current_password: PASSWORD, new_password: `${NEW}-b` };
    client.token = (await client.post('/api/auth/password/change/', passwords)).body.access_token;
    expect((await confirm(changed)).status).toBe(400);

    const email = `gone-${person.email}`;
    const [row] = await asOwner<{ id: string }>(
      'INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true) RETURNING id',
      [person.userId, email],
    );
    const mailed = await requestToken(email);
    expect((await client.delete(`/api/auth/emails/${row?.id}/`)).status).toBe(204);
    expect((await confirm(mailed)).status).toBe(400);
  });

  test('a made-up token is refused before the password is checked', async () => {
    expect((await confirm('x'.repeat(43), 'short')).body.code).toBe('reset_token_invalid');
    const { body } = await anybody().post('/api/auth/password/reset/confirm/', {});
    expect(Object.keys(body.errors)).toEqual(['token', 'new_password']);
  });
});
