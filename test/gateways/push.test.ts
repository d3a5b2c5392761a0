/**
 * Pushes over the wire: every answer of Apple and Google, and how it is interpreted.
 * @jest-environment node
 */
import { randomUUID } from 'node:crypto';
import { freePort } from '../../development/stack/ports.js';
import { apnsVerdict } from '../../gateways/push/apnsAnswers.js';
import type { PushMessage } from '../../gateways/push/port.js';
import { retryAfter } from '../../gateways/push/verdicts.js';
import { aMessage, aPushWorld } from './push.support.js';

const push = aPushWorld();

const anAndroid = async (differences: Partial<PushMessage> = {}) =>
  aMessage({ token: (await push.phone('android')).token, ...differences });

describe('a message', () => {
  test('a message reaches an iPhone with its text, badge, identifiers and ids', async () => {
    const message = aMessage();
    expect(await push.ports.ios.send(message)).toEqual({
      outcome: 'success',
      errorCode: null,
      gatewayId: message.recordId,
      durationMs: expect.any(Number),
      next: { do: 'nothing' },
    });
    expect((await push.arrivals({ id: message.recordId }))[0]).toMatchObject({
      platform: 'ios',
      environment: 'production',
      token: message.token,
      collapse_id: message.collapseId,
      title: 'Dues – reminder',
      body: 'Your invoice is due.',
      badge: 3,
      data: message.data,
    });
  });

  test('a message reaches an Android phone with its text, badge, identifiers and ids', async () => {
    const message = await anAndroid();
    const answer = await push.ports.android.send(message);
    expect(answer).toMatchObject({ outcome: 'success', next: { do: 'nothing' } });
    expect(answer.gatewayId).toMatch(/^projects\/membership-standin\/messages\//);
    expect((await push.arrivals({ id: answer.gatewayId as string }))[0]).toMatchObject({
      platform: 'android',
      token: message.token,
      collapse_id: message.collapseId,
      title: 'Dues – reminder',
      badge: 3,
      data: message.data,
    });
  });

  test('a message that is repeated with the same collapse id is shown once', async () => {
    const { token } = await push.phone('ios');
    const collapseId = randomUUID();
    for (const body of ['first', 'second']) await push.ports.ios.send(aMessage({ token, collapseId, body }));
    const screens = (await (await push.control('GET', '/phones')).json()) as { token: string; shown: unknown[] }[];
    expect(screens.find((one) => one.token === token)?.shown).toMatchObject([{ body: 'second' }]);
  });

  test.each(['ios', 'android'] as const)(
    'a message that is too long for %s loses text, between characters, and no identifier',
    async (platform) => {
      const { token } = await push.phone(platform);
      const message = aMessage({ token, body: '🦉'.repeat(2_000), data: { target_url: `/${'x'.repeat(900)}` } });
      expect(await push.ports[platform].send(message)).toMatchObject({ outcome: 'success' });
      const [arrived] = await push.arrivals({ token });
      expect(arrived?.data).toEqual(message.data);
      expect(arrived?.body).toMatch(/^(🦉)+…$/u);
      expect(Buffer.byteLength(arrived?.body ?? '')).toBeGreaterThan(2_500);
    },
  );

  test('a message that is too long even without text is not sent', async () => {
    const message = aMessage({ title: 'ü'.repeat(3_000), data: { target_url: `/${'x'.repeat(4_096)}` } });
    const answer = { outcome: 'transient_failure', errorCode: 'payload_too_large', next: { do: 'nothing' } };
    for (const port of Object.values(push.ports)) expect(await port.send(message)).toMatchObject(answer);
    expect(await push.requests({ id: message.recordId })).toEqual([]);
  });

  test('a hundred simultaneous messages to Apple arrive over one connection', async () => {
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const answers = await Promise.all(ids.map((recordId) => push.ports.ios.send(aMessage({ recordId }))));
    expect(new Set(answers.map(({ gatewayId }) => gatewayId))).toEqual(new Set(ids));
  });
});

const LATER = { outcome: 'transient_failure', next: { do: 'repeat', afterSeconds: null } };
const NOT_AGAIN = { outcome: 'transient_failure', next: { do: 'nothing' } };
const PAUSED = { outcome: 'transient_failure', next: { do: 'pause_gateway' } };
const DEAD = { outcome: 'unregistered', next: { do: 'prune', registeredBefore: null } };
const ELSEWHERE = { outcome: 'transient_failure', next: { do: 'try_other_environment' } };

test.each([
  ['ios', 'bad_token', 'BadDeviceToken', ELSEWHERE],
  ['ios', 'not_for_topic', 'DeviceTokenNotForTopic', ELSEWHERE],
  ['ios', 'unauthenticated', 'InvalidProviderToken', PAUSED],
  ['ios', 'forbidden', 'Forbidden', PAUSED],
  ['ios', 'expired_provider_token', 'ExpiredProviderToken', PAUSED],
  ['ios', 'timed_out', 'RequestTimeout', LATER],
  ['ios', 'too_many_requests', 'TooManyRequests', LATER],
  ['ios', 'internal_error', 'http_500', LATER],
  ['ios', 'unavailable', 'ServiceUnavailable', LATER],
  ['ios', 'goaway', expect.any(String), LATER],
  ['ios', 'drop_before', expect.any(String), LATER],
  ['ios', 'drop_after', expect.any(String), LATER],
  ['ios', 'bad_request', 'BadCollapseId', NOT_AGAIN],
  ['ios', 'too_large', 'PayloadTooLarge', NOT_AGAIN],
  ['android', 'unregistered', 'UNREGISTERED', DEAD],
  ['android', 'bad_token', 'INVALID_ARGUMENT', DEAD],
  ['android', 'sender_id_mismatch', 'SENDER_ID_MISMATCH', DEAD],
  ['android', 'not_found', 'NOT_FOUND', PAUSED],
  ['android', 'unauthenticated', 'UNAUTHENTICATED', PAUSED],
  ['android', 'forbidden', 'PERMISSION_DENIED', PAUSED],
  ['android', 'timed_out', 'DEADLINE_EXCEEDED', LATER],
  ['android', 'too_many_requests', 'QUOTA_EXCEEDED', LATER],
  ['android', 'internal_error', 'INTERNAL', LATER],
  ['android', 'unavailable', 'UNAVAILABLE', LATER],
  ['android', 'drop_before', expect.any(String), LATER],
  ['android', 'drop_after', expect.any(String), LATER],
  ['android', 'bad_request', 'INVALID_ARGUMENT', NOT_AGAIN],
  ['android', 'too_large', 'INVALID_ARGUMENT', NOT_AGAIN],
] as const)('%s: %s is %s, and the next message goes through', async (platform, kind, errorCode, expected) => {
  const { token } = await push.phone(platform);
  await push.fault({ kind, platform, token });
  expect(await push.ports[platform].send(aMessage({ token }))).toMatchObject({ errorCode, ...expected });
  expect(await push.requests({ token })).toHaveLength(1);
  expect(await push.ports[platform].send(aMessage({ token }))).toMatchObject({ outcome: 'success' });
});

test.each(['ios', 'android'] as const)('%s: Retry-After is returned', async (platform) => {
  const { token } = await push.phone(platform);
  await push.fault({ kind: 'too_many_requests', platform, token, retry_after_seconds: 90 });
  const answer = await push.ports[platform].send(aMessage({ token }));
  expect(answer.next).toEqual({ do: 'repeat', afterSeconds: 90 });
});

test.each([
  ['90', 90],
  ['0', 1],
  [' 7 ', 7],
  ['99999999999999999999', 86_400],
  ['Sat, 28 Nov 2026 00:01:30 GMT', 90],
  ['Saturday, 28-Nov-26 00:01:30 GMT', 90],
  ['Fri, 27 Nov 2026 23:00:00 GMT', 1],
  ['Sat, 28 Nov 2099 00:00:00 GMT', 86_400],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['Sat', null],
  ['', null],
  [null, null],
])('a Retry-After of %j is read as %j seconds', (header, seconds) => {
  expect(retryAfter(header, Date.parse('2026-11-28T00:00:00Z'))).toBe(seconds);
});

test.each([1e16, 8.64e15 + 1, -1, 0, '1700000000000', Number.NaN, undefined])(
  'an invalid time %j of Apple removes no phone',
  (timestamp) => {
    const answer = { status: 410, reason: 'Unregistered', timestamp, retryAfter: null, apnsId: null };
    expect(apnsVerdict(answer)).toMatchObject({ outcome: 'unregistered', next: { do: 'nothing' } });
  },
);

test('an uninstalled app is unregistered since the time that Apple names', async () => {
  const { token } = await push.phone('ios');
  const removed = (await (await push.control('DELETE', `/phones/${token}`)).json()) as { removed_at: string };
  expect(await push.ports.ios.send(aMessage({ token }))).toMatchObject({
    outcome: 'unregistered',
    errorCode: 'Unregistered',
    next: { do: 'prune', registeredBefore: new Date(removed.removed_at) },
  });
});

test('an uninstalled app is unregistered for Google, too', async () => {
  const { token } = await push.phone('android');
  await push.control('DELETE', `/phones/${token}`);
  expect(await push.ports.android.send(aMessage({ token }))).toMatchObject({ errorCode: 'UNREGISTERED', ...DEAD });
});

test('a token of the sandbox is unknown in production, and known in the sandbox', async () => {
  const { token } = await push.phone('ios', 'sandbox');
  expect(await push.ports.ios.send(aMessage({ token }))).toMatchObject({ errorCode: 'BadDeviceToken', ...ELSEWHERE });
  const again = await push.ports.ios.send(aMessage({ token, environment: 'sandbox' }));
  expect(again).toMatchObject({ outcome: 'success' });
  expect(await push.arrivals({ token })).toMatchObject([{ environment: 'sandbox' }]);
});

describe('credentials', () => {
  test('a key that is unknown to Apple pauses the pushes', async () => {
    const wrong = push.another('ios', { keyId: 'ABCDEFGHIJ' });
    expect(await wrong.send(aMessage())).toMatchObject({ errorCode: 'InvalidProviderToken', ...PAUSED });
  });

  test('another app is refused, without blaming a device', async () => {
    const wrong = push.another('ios', { topic: 'org.example.other' });
    expect(await wrong.send(aMessage())).toMatchObject({ errorCode: 'TopicDisallowed', ...NOT_AGAIN });
  });

  test('a service account that is unknown to Google pauses the pushes', async () => {
    const account = { ...push.fcmSettings.account, client_email: 'somebody@example.org' };
    const wrong = push.another('android', { account });
    expect(await wrong.send(await anAndroid())).toMatchObject({ errorCode: 'invalid_grant', ...PAUSED });
  });

  test('a project of another owner pauses the pushes', async () => {
    const wrong = push.another('android', { account: { ...push.fcmSettings.account, project_id: 'other' } });
    expect(await wrong.send(await anAndroid())).toMatchObject({ errorCode: 'PERMISSION_DENIED', ...PAUSED });
  });

  test('an access token that cannot be obtained is requested again with the next message', async () => {
    const fresh = push.another('android');
    await push.fault({ kind: 'token_unavailable' });
    expect(await fresh.send(await anAndroid())).toMatchObject({ errorCode: 'temporarily_unavailable', ...LATER });
    expect(await fresh.send(await anAndroid())).toMatchObject({ outcome: 'success' });
  });

  test('a server without a trusted certificate gets no message', async () => {
    const strange = push.another('ios', { ca: undefined });
    expect(await strange.send(aMessage())).toMatchObject(LATER);
  });
});

test('an unreachable gateway is tried again later', async () => {
  const nowhere = `https://127.0.0.1:${await freePort()}`;
  expect(await push.another('ios', { url: nowhere }).send(aMessage())).toMatchObject(LATER);
  const android = push.another('android', { url: nowhere });
  expect(await android.send(await anAndroid())).toMatchObject({ errorCode: 'ECONNREFUSED', ...LATER });
});

test('the page shows what a phone shows', async () => {
  const { token } = await push.phone('ios');
  await push.ports.ios.send(aMessage({ token, title: '<b>Dues</b>' }));
  const html = await (await push.control('GET', '/')).text();
  expect(html).toContain(token.slice(-8));
  expect(html).toContain('&lt;b&gt;Dues&lt;/b&gt;');
});

test('an unknown fault is refused with the list of known faults', async () => {
  const answer = await push.control('POST', '/faults', { kind: 'rain' });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('unregistered')]);
});
