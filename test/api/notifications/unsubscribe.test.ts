/** Tests unsubscribing by the link in a mail: a page asks, and one POST unsubscribes (RFC 8058). */
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { ERASED_ADDRESS } from '../../../models/identity/deletion/erased.js';
import { type UnsubscribeScope, unsubscribeUrl } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));

/** Returns the link as a mail to the person contains it. */
const urlOf = (scope: UnsubscribeScope, userId = person.userId) =>
  unsubscribeUrl({ organizationId: stage.world.organizationId, userId, scope }).replace(
    config.backendUrl,
    stage.api.url,
  );

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const form = 'application/x-www-form-urlencoded';
const post = (url: string, body = ONE_CLICK, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': form, ...headers } });

const preferences = () =>
  asOwner<Record<'in_app_enabled' | 'email_enabled' | 'push_enabled', boolean | null>>(
    `SELECT event_type, in_app_enabled, email_enabled, push_enabled FROM notification_preferences
      WHERE organization_id = $1 AND user_id = $2 ORDER BY event_type`,
    [stage.world.organizationId, person.userId],
  );

test('opening the link changes nothing', async () => {
  await asOwner(`UPDATE organizations SET name = '<script>x</script>' WHERE id = $1`, [stage.world.organizationId]);
  const answer = await fetch(urlOf({ events: ['mention', 'new_post'] }));
  const page = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(page).toContain('mention, new post');
  expect(page).not.toContain('<script>');
  expect(page).not.toContain(person.email);
  expect(await preferences()).toEqual([]);
});

test('a POST ends mail of its events only, without signing in, and may be repeated', async () => {
  const url = urlOf({ events: ['mention'] });
  for (const _ of [1, 2]) expect((await post(url)).status).toBe(200);
  await Promise.all([post(url), post(url)]);
  expect(await preferences()).toEqual([
    { event_type: 'mention', in_app_enabled: null, email_enabled: false, push_enabled: null },
  ]);
});

/** Builds a multipart form, as mail programs should send it (RFC 8058, 3.2). */
const multipart = (values: string[], name = 'List-Unsubscribe') =>
  [
    ...values.map((value) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    '--b--\r\n',
  ].join('');
const PARTS = { 'Content-Type': 'multipart/form-data; boundary=b' };

test('a mail program may unsubscribe with a multipart form', async () => {
  expect((await post(urlOf({ events: ['mention'] }), multipart(['One-Click']), PARTS)).status).toBe(200);
  expect(await preferences()).toMatchObject([{ event_type: 'mention', email_enabled: false }]);
});

test.each([
  ['another value', multipart(['No']), 400],
  ['the field twice', multipart(['One-Click', 'One-Click']), 400],
  ['another field', multipart(['One-Click'], 'x'), 400],
  ['no form', 'List-Unsubscribe=One-Click', 400],
  ['nothing', '', 400],
  ['too much', multipart(['x'.repeat(2_000)]), 413],
])('a multipart form with %s is refused', async (_, body, status) => {
  expect((await post(urlOf({ events: ['mention'] }), body, PARTS)).status).toBe(status);
  expect(await preferences()).toEqual([]);
});

test('a POST with another origin and a foreign cookie is accepted', async () => {
  expect((await post(urlOf({ events: ['mention'] }), ONE_CLICK, { Origin: 'null', Cookie: 'a=b' })).status).toBe(200);
});

test('a POST mutes a conversation', async () => {
  const id = randomUUID();
  const url = urlOf({ conversation: { type: 'post', id } });
  expect(await (await fetch(url)).text()).toContain('this conversation');
  for (const _ of [1, 2]) expect((await post(url)).status).toBe(200);
  expect(
    await asOwner('SELECT subject_type, subject_id FROM notification_mutes WHERE user_id = $1', [person.userId]),
  ).toEqual([{ subject_type: 'post', subject_id: id }]);
});

test('a POST ends digests', async () => {
  await asOwner(`INSERT INTO digest_preferences (organization_id, user_id, frequency) VALUES ($1, $2, 'daily')`, [
    stage.world.organizationId,
    person.userId,
  ]);
  for (const _ of [1, 2]) expect((await post(urlOf({ digest: true }))).status).toBe(200);
  expect(await asOwner('SELECT frequency FROM digest_preferences WHERE user_id = $1', [person.userId])).toEqual([
    { frequency: null },
  ]);
});

test('a link of an unknown person is answered with success', async () => {
  expect((await post(urlOf({ events: ['mention'] }, randomUUID()))).status).toBe(200);
});

test('a link of an erased person stores nothing', async () => {
  await asOwner(`UPDATE users SET email = ${ERASED_ADDRESS}, disabled_at = now() WHERE id = $1`, [person.userId]);
  for (const scope of [{ events: ['mention'] }, { digest: true }] satisfies UnsubscribeScope[])
    expect((await post(urlOf(scope))).status).toBe(200);
  expect(await preferences()).toEqual([]);
  expect(await asOwner('SELECT FROM digest_preferences WHERE user_id = $1', [person.userId])).toEqual([]);
});

test('a link without our signature is a 404 and changes nothing', async () => {
  const url = urlOf({ events: ['mention'] });
  const [, token = ''] = /unsubscribe\/([^/]+)\/$/.exec(url) ?? [];
  const [text = '', signature = ''] = token.split('.');
  const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  const other = Buffer.from(JSON.stringify({ ...content, userId: stage.world.admin.userId })).toString('base64url');
  const forged = [
    `${other}.${signature}`,
    text,
    `${text}.`,
    `${text}.${signature.slice(0, 20)}`,
    `${text}.${signature}.${signature}`,
    `${text}.${Buffer.alloc(32).toString('base64url')}`,
    '.',
    '%00',
  ];
  for (const one of forged) {
    expect([one, (await fetch(url.replace(token, one))).status]).toEqual([one, 404]);
    expect((await post(url.replace(token, one))).status).toBe(404);
  }
  expect(
    await asOwner('SELECT 1 FROM notification_preferences WHERE user_id = $1', [stage.world.admin.userId]),
  ).toEqual([]);
  expect(await preferences()).toEqual([]);
});

test('a link signed with an older key is accepted until the key is removed', async () => {
  const url = urlOf({ events: ['mention'] });
  const { JWT_KEYS } = config;
  const newer = { id: 'newer', secret: 'n'.repeat(32) };
  Object.assign(config, { JWT_KEYS: [newer, ...JWT_KEYS] });
  const rotated = (await fetch(url)).status;
  Object.assign(config, { JWT_KEYS: [newer] });
  const retired = (await fetch(url)).status;
  Object.assign(config, { JWT_KEYS });
  expect([rotated, retired]).toEqual([200, 404]);
});

test.each([
  ['', form, 400],
  ['List-Unsubscribe=No', form, 400],
  [`${ONE_CLICK}&${ONE_CLICK}`, form, 400],
  ['{}', 'application/json', 415],
  [`a=${'x'.repeat(2_000)}`, form, 413],
])('the form %j as %s is refused', async (body, type, status) => {
  expect((await post(urlOf({ events: ['mention'] }), body, { 'Content-Type': type })).status).toBe(status);
  expect(await preferences()).toEqual([]);
});
