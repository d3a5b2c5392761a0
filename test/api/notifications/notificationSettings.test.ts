import { config } from '../../../config.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/notification-settings/`;
const smtp = { host: 'SMTP.example.org', port: 587, security: 'starttls', username: 'club', password: 'hunter2' };
const sender = { from_name: 'The Club', from_email: 'Club@example.org', reply_to: null };

afterEach(async () => {
  await asOwner('DELETE FROM notification_settings WHERE organization_id = $1', [stage.world.organizationId]);
  await asOwner('DELETE FROM notification_defaults WHERE organization_id = $1', [stage.world.organizationId]);
});

const change = (body: Record<string, unknown>) => stage.admin.patch(path(), body);
const stored = async () =>
  (await asOwner('SELECT * FROM notification_settings WHERE organization_id = $1', [stage.world.organizationId]))[0];

test('the settings are for administrators of the organization', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.member.patch(path(), { push_previews: false })).toMatchObject({ status: 403 });
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.patch(path(id), {}));
});

test('before the first change the defaults are answered and no row is written', async () => {
  const { status, body } = await stage.admin.get(path());
  expect([status, body]).toEqual([
    200,
    {
      sender: { from_name: null, from_email: null, reply_to: null },
      smtp: null,
      push_previews: true,
      ai_scope_notifications: false,
      defaults: expect.any(Array),
      version: 0,
    },
  ]);
  expect(body.defaults).toHaveLength(23);
  expect(body.defaults).toContainEqual({
    event_type: 'new_post',
    in_app_enabled: true,
    email_enabled: true,
    push_enabled: false,
  });
  expect(await stored()).toBeUndefined();
  expect(await countStatements(() => stage.admin.get(path()))).toBe(4);
});

test("a server's password is encrypted, and in no answer and no log", async () => {
  const { status, body } = await change({ smtp, sender });
  expect([status, body.smtp, body.sender.from_email]).toEqual([
    200,
    { host: 'smtp.example.org', port: 587, security: 'starttls', username: 'club' },
    'club@example.org',
  ]);
  expect((await stored())?.['smtp_password_encrypted']).toMatch(/^v1\./);
  const audited = JSON.stringify(await asOwner('SELECT * FROM audit_log'));
  expect(audited).toContain('smtp.example.org');
  expect(audited + JSON.stringify(body)).not.toContain('hunter2');
});

test('an omitted password stays stored but cannot be used with another server', async () => {
  await change({ smtp, sender });
  const { password: _, ...same } = smtp;
  const before = await stored();
  expect((await change({ smtp: { ...same, username: undefined } })).status).toBe(200);
  expect(await stored()).toMatchObject({ smtp_password_encrypted: before?.['smtp_password_encrypted'] });
  for (const other of [{ host: 'evil.example.org' }, { port: 25 }, { security: 'tls' }, { username: 'other' }])
    expect(await change({ smtp: { ...same, ...other } })).toMatchObject({
      status: 400,
      body: { errors: { smtp: [expect.any(String)] } },
    });
  expect((await change({ smtp: { ...same, username: null } })).status).toBe(200);
  expect(await stored()).toMatchObject({ smtp_username: null, smtp_password_encrypted: null });
});

test('an own mail server needs an address to send from, and the address needs no own server', async () => {
  expect(await change({ smtp })).toMatchObject({ status: 400, body: { code: 'sender_needs_smtp' } });
  await change({ smtp, sender });
  expect(await change({ sender: { from_email: null } })).toMatchObject({
    status: 400,
    body: { code: 'sender_needs_smtp' },
  });
  expect(await change({ smtp: null })).toMatchObject({
    status: 200,
    body: { smtp: null, sender: { from_email: 'club@example.org' } },
  });
});

test.each([
  [{ sender: { from_name: 'A\r\nBcc: b@example.org' } }, 'sender.from_name'],
  [{ sender: { reply_to: 'a@example.org\r\nBcc: b@example.org' } }, 'sender.reply_to'],
  [{ smtp: { ...smtp, host: 'smtp://example.org' } }, 'smtp.host'],
  [{ smtp: { ...smtp, port: 6379 } }, 'smtp.port'],
  [{ smtp: { ...smtp, security: 'none' } }, 'smtp.security'],
  [{ smtp: { ...smtp, url: 'x' } }, 'smtp.url'],
  [{ push_previews: 'yes' }, 'push_previews'],
  [{ defaults: [] }, 'defaults'],
  [{ timezone: 'UTC' }, 'timezone'],
])('%j is refused', async (body, field) => {
  expect(await change(body)).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test("a change of the organization's defaults applies to people without a choice and is audited", async () => {
  const quiet = { event_type: 'mention', in_app_enabled: true, email_enabled: false, push_enabled: false };
  const { body } = await change({ defaults: [quiet] });
  expect(body.defaults).toContainEqual(quiet);
  const theirs = await stage.member.get<{ results: { event_type: string }[] }>('/api/notifications/preferences/');
  expect(theirs.body.results).toContainEqual(expect.objectContaining(quiet));
  const [entry] = await asOwner(
    `SELECT after FROM audit_log WHERE action = 'notification_settings.defaults_changed' AND organization_id = $1`,
    [stage.world.organizationId],
  );
  expect(entry).toEqual({ after: { mention: { in_app_enabled: true, email_enabled: false, push_enabled: false } } });
  const locked = { event_type: 'account_security', in_app_enabled: true, email_enabled: false, push_enabled: true };
  expect(await change({ defaults: [locked] })).toMatchObject({ status: 400, body: { code: 'preference_locked' } });
});

test('of two administrators who change the same setting the second gets a conflict', async () => {
  expect(await change({ push_previews: false, version: 0 })).toMatchObject({ status: 200, body: { version: 1 } });
  expect(await change({ push_previews: true, version: 0 })).toMatchObject({
    status: 409,
    body: { code: 'stale_version' },
  });
});

test('a mail server on another port is accepted only in development', async () => {
  Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
  const answer = await change({ smtp: { ...smtp, port: 1025 }, sender });
  Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: false });
  expect(answer.status).toBe(200);
});
