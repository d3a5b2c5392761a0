/** Tests the sender and the mail server of an organization: a second address of the notification settings. */
import net from 'node:net';
import { config } from '../../../config.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aMailbox } from '../../support/accountMail.js';
import { asOwner } from '../../support/owner.js';

Object.assign(config, { MAIL_DOMAINS: ['mail.example.org'], THROTTLE_LIMITS: { email_config_test: 15 } });
const stage = apiWorld();
const mailbox = aMailbox();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/email-config/`;
const settingsPath = () => `/api/organizations/${stage.world.organizationId}/notification-settings/`;
const smtp = { host: 'smtp.example.org', port: 587, security: 'starttls', username: 'club', password: 'hunter2' };
const sender = { from_name: 'The Club', from_email: 'Club@example.org', reply_to: 'office@example.org' };
const NOTHING = { from_name: null, from_email: null, reply_to: null, smtp: null };

const put = (body: Record<string, unknown>) => stage.admin.put(path(), body);
const allow = (allowed: boolean) => Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: allowed });

afterEach(async () => {
  allow(false);
  for (const table of ['mail_server_failures', 'notification_settings'])
    await asOwner(`DELETE FROM ${table} WHERE organization_id = $1`, [stage.world.organizationId]);
});

test('the email configuration is for administrators of the organization', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.put(path(), {})).toMatchObject({ status: 403 });
  expect(await stage.officer.delete(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(`${path()}test/`)).toMatchObject({ status: 403 });
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.put(path(id), {}));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.delete(path(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.post(`${path(id)}test/`));
});

test("an unconfigured organization sends from the platform's address", async () => {
  const { status, body } = await stage.admin.get(path());
  expect([status, body]).toEqual([200, { ...NOTHING, sends_from: 'no-reply@example.org', failing: null, version: 0 }]);
});

test('a PUT replaces the whole configuration, which both addresses show without the password', async () => {
  const { status, body } = await put({ ...sender, smtp, version: 0 });
  const { password: _, ...shown } = smtp;
  expect([status, body]).toEqual([
    200,
    {
      ...sender,
      from_email: 'club@example.org',
      smtp: shown,
      sends_from: 'club@example.org',
      failing: null,
      version: 1,
    },
  ]);
  expect((await stage.admin.get(settingsPath())).body).toMatchObject({
    smtp: shown,
    sender: { from_name: 'The Club' },
  });
  const [stored] = await asOwner('SELECT smtp_password_encrypted FROM notification_settings');
  expect(stored).toEqual({ smtp_password_encrypted: expect.stringMatching(/^v1\./) });
  await put({ ...sender, smtp: { ...smtp, password: 'hunter3' } });
  const log = JSON.stringify(await asOwner('SELECT * FROM audit_log'));
  expect(log).toContain('notification_settings.password_replaced');
  expect(log + JSON.stringify(body)).not.toMatch(/hunter[23]/);

  expect(await put({ from_name: 'Only a name' })).toMatchObject({
    status: 200,
    body: { ...NOTHING, from_name: 'Only a name', sends_from: 'no-reply@example.org' },
  });
  expect((await asOwner('SELECT smtp_password_encrypted FROM notification_settings'))[0]).toEqual({
    smtp_password_encrypted: null,
  });
});

test('of two administrators who change the configuration the second gets a conflict', async () => {
  expect(await put({ ...sender, version: 0 })).toMatchObject({ status: 200 });
  expect(await put({ version: 0 })).toMatchObject({ status: 409, body: { code: 'stale_version' } });
});

test('a from address without an own server is used only where the platform may send for its domain', async () => {
  for (const [from_email, sends_from] of [
    ['club@mail.example.org', 'club@mail.example.org'],
    ['club@example.org', 'no-reply@example.org'],
    ['club@sub.mail.example.org', 'no-reply@example.org'],
    ['club@evilmail.example.org', 'no-reply@example.org'],
  ])
    expect(await put({ from_email })).toMatchObject({ status: 200, body: { from_email, sends_from } });
  expect(await put({ smtp })).toMatchObject({ status: 400, body: { code: 'sender_needs_smtp' } });
});

test("only one organization can use an address of the platform's domains, and none the platform's own", async () => {
  const mine = { from_email: 'club@mail.example.org' };
  expect(await put(mine)).toMatchObject({ status: 200, body: { sends_from: 'club@mail.example.org' } });
  const otherAdmin = stage.as(stage.other.admin);
  const others = path(stage.other.organizationId);
  const theirs = (body: object) => otherAdmin.put(others, body);
  const conflict = { status: 409, body: { code: 'sender_taken' } };
  expect(await theirs({ from_name: 'The Club', from_email: 'CLUB@mail.example.org' })).toMatchObject(conflict);
  expect(
    await otherAdmin.patch(`/api/organizations/${stage.other.organizationId}/notification-settings/`, { sender: mine }),
  ).toMatchObject(conflict);
  expect((await otherAdmin.get(others)).body).toMatchObject({ from_email: null, sends_from: 'no-reply@example.org' });
  expect(await put(mine)).toMatchObject({ status: 200 });
  // An address is not taken by an organization with its own server, or if the platform may not send for its domain.
  expect(await theirs({ ...mine, smtp })).toMatchObject({ status: 200 });
  expect(await theirs({ from_email: 'club@example.org' })).toMatchObject({ status: 200 });
  expect(await put({ from_email: 'club@example.org' })).toMatchObject({ status: 200 });
  const both = await Promise.all([put(mine), theirs(mine)]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  await put({});
  expect(await theirs(mine)).toMatchObject({ status: 200, body: { sends_from: 'club@mail.example.org' } });

  Object.assign(config, { MAIL_DOMAINS: ['mail.example.org', 'example.org'] });
  for (const local of ['no-reply', 'postmaster', 'abuse']) {
    expect(await put({ from_email: `${local}@example.org` })).toMatchObject(conflict);
  }
  Object.assign(config, { MAIL_DOMAINS: ['mail.example.org'] });
  await otherAdmin.delete(others);
});

test.each([
  [{ from_name: 'A\r\nBcc: b@example.org' }, 'from_name'],
  [{ from_email: 'a@example.org\r\nBcc: b@example.org' }, 'from_email'],
  [{ reply_to: 'a@example.org\nBcc: b@example.org' }, 'reply_to'],
  [{ smtp: { ...smtp, host: 'smtp.example.org\r\nDATA' } }, 'smtp.host'],
  [{ smtp: { ...smtp, username: 'club\r\nRSET' } }, 'smtp.username'],
  [{ smtp: { ...smtp, port: 6379 } }, 'smtp.port'],
  [{ smtp: { ...smtp, security: 'none' } }, 'smtp.security'],
  [{ password: 'x' }, 'password'],
])('%j is refused', async (body, field) => {
  expect(await put(body)).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test("removing the configuration, once or twice, restores the platform's sender and keeps the other settings", async () => {
  await put({ ...sender, smtp });
  await stage.admin.patch(settingsPath(), { push_previews: false });
  for (const _ of [1, 2]) expect((await stage.admin.delete(path())).status).toBe(204);
  expect((await stage.admin.get(path())).body).toMatchObject({ ...NOTHING, sends_from: 'no-reply@example.org' });
  expect((await stage.admin.get(settingsPath())).body).toMatchObject({ push_previews: false, smtp: null });
});

describe('a test mail', () => {
  const tested = async () => (await stage.admin.post<Record<string, unknown>>(`${path()}test/`)).body;
  const own = (port: number) => put({ ...sender, smtp: { ...smtp, host: 'localhost', port } });
  const self = () => stage.world.admin.email;

  test('a test mail goes only to the person who requests it', async () => {
    allow(true);
    await own(Number(new URL(config.SMTP_URL).port));
    expect(await stage.admin.post(`${path()}test/`, { to: 'else@example.org' })).toMatchObject({ status: 400 });
    expect(await tested()).toEqual({ sent_to: self(), failed_step: null, answer: null });
    expect(mailbox.catcher.mails.list(self())).toMatchObject([
      { from: 'club@example.org', headers: { from: 'The Club <club@example.org>', 'reply-to': 'office@example.org' } },
    ]);
  });

  test("a test mail uses the platform's server where the organization has none", async () => {
    await put({ from_name: 'The Club', from_email: 'club@elsewhere.example.org', reply_to: 'office@example.org' });
    expect(await tested()).toMatchObject({ failed_step: null });
    expect(mailbox.catcher.mails.list(self()).at(-1)?.headers).toMatchObject({
      from: 'The Club <no-reply@example.org>',
      'reply-to': 'office@example.org',
    });
  });

  test('a failed test mail reports its step and no text of the server', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).write('220 here\r\n');
      socket.on('data', (data) =>
        socket.write(
          data.toString().startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : '535 5.7.8 no hunter2\r\n',
        ),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    allow(true);
    await own((server.address() as net.AddressInfo).port);
    expect(await tested()).toEqual({ sent_to: self(), failed_step: 'auth', answer: '535' });
    server.close();
    await own(1);
    expect(await tested()).toMatchObject({ failed_step: 'connect', answer: 'ECONNREFUSED' });
    allow(false);
    expect(await tested()).toMatchObject({ failed_step: 'resolve', answer: 'forbidden_address' });
  });

  test('a successful test mail or another server clears the recorded failure', async () => {
    allow(true);
    const fails = () =>
      asOwner(`INSERT INTO mail_server_failures (organization_id, step, answer) VALUES ($1, 'auth', '535')`, [
        stage.world.organizationId,
      ]);
    const shown = async () => (await stage.admin.get<{ failing: unknown }>(path())).body.failing;
    const moment = expect.stringMatching(/^\d{4}-.*Z$/);
    await own(Number(new URL(config.SMTP_URL).port));
    await fails();
    expect(await shown()).toEqual({ step: 'auth', answer: '535', since: moment, last_tried_at: moment });
    await stage.admin.patch(settingsPath(), { push_previews: false });
    expect(await shown()).not.toBeNull();
    await tested();
    expect(await shown()).toBeNull();
    await fails();
    await own(1);
    expect(await shown()).toBeNull();
    await fails();
    await stage.admin.delete(path());
    expect(await shown()).toBeNull();
  });

  test('a test mail needs a proven address of the person', async () => {
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      stage.world.member.userId,
      self(),
    ]);
    expect(await stage.admin.post(`${path()}test/`)).toMatchObject({
      status: 409,
      body: { code: 'address_not_verified' },
    });
  });

  test('test mails have a rate limit', async () => {
    const statuses: number[] = [];
    while (statuses.length < 15 && !statuses.includes(429))
      statuses.push((await stage.admin.post(`${path()}test/`)).status);
    expect(statuses).toContain(429);
  });
});
