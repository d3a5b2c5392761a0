/**
 * Requests that the stand-ins of the push gateways refuse, their state after a restart, and the programs that are configured with
 * them.
 * @jest-environment node
 */
import http2 from 'node:http2';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sign } from 'jsonwebtoken';
import { pushEnvironment } from '../../../development/stack/push.js';
import { readSettings } from '../../../development/stack/settings.js';
import {
  APNS_KEY_ID,
  credentialFiles,
  DEFAULT_APP,
  makeCredentials,
  readCredentials,
} from '../../../development/standins/push/credentials.js';
import { type PushStandin, startPushStandin } from '../../../development/standins/push/server.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'push-standin-test-'));
const credentials = path.join(folder, 'push');
const files = credentialFiles(credentials);
let standin: PushStandin;
let session: http2.ClientHttp2Session;

const start = () => startPushStandin({ apnsPort: 0, fcmPort: 0, controlPort: 0, folder: credentials });
beforeAll(async () => {
  standin = await start();
  session = http2.connect(standin.apnsUrl, { ca: readFileSync(files.authority) });
});
afterAll(async () => {
  session.close();
  await standin.close();
  rmSync(folder, { recursive: true });
});

const TOKEN = 'cd'.repeat(32);

/** @param iat seconds since 1970 */
function providerToken(iat = Math.floor(Date.now() / 1000), issuer = DEFAULT_APP.teamId): string {
  const { apnsKey } = readCredentials(credentials);
  return `bearer ${sign({ iat }, apnsKey, { algorithm: 'ES256', issuer, header: { alg: 'ES256', kid: APNS_KEY_ID } })}`;
}

/** Sends a request as in Apple's documentation; `differences` replace headers. @returns status and reason */
async function ask(differences: http2.OutgoingHttpHeaders = {}, payload = '{"aps":{"alert":"Hello"}}') {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/3/device/${TOKEN}`,
    authorization: providerToken(),
    'apns-topic': DEFAULT_APP.topic,
    'apns-push-type': 'alert',
    ...differences,
  });
  stream.end(payload);
  const status = await new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
  let body = '';
  for await (const chunk of stream) body += String(chunk);
  return [status, body ? (JSON.parse(body) as { reason: string }).reason : null];
}

test('APNs accepts a valid request', async () => {
  expect(await ask()).toEqual([200, null]);
});

test.each<[http2.OutgoingHttpHeaders, number, string]>([
  [{ ':method': 'PUT' }, 405, 'MethodNotAllowed'],
  [{ ':path': '/3/phone/1' }, 404, 'BadPath'],
  [{ ':path': '/3/device/xyz' }, 400, 'BadDeviceToken'],
  [{ authorization: '' }, 403, 'MissingProviderToken'],
  [{ authorization: 'bearer a.b.c' }, 403, 'InvalidProviderToken'],
  [{ 'apns-topic': undefined }, 400, 'MissingTopic'],
  [{ 'apns-topic': 'org.example.other' }, 400, 'TopicDisallowed'],
  [{ 'apns-push-type': undefined }, 400, 'InvalidPushType'],
  [{ 'apns-id': '42' }, 400, 'BadMessageId'],
  [{ 'apns-collapse-id': 'x'.repeat(65) }, 400, 'BadCollapseId'],
  [{ 'apns-priority': '7' }, 400, 'BadPriority'],
  [{ 'apns-expiration': 'soon' }, 400, 'BadExpirationDate'],
])('APNs refuses a request with %j: %i %s', async (differences, status, reason) => {
  expect(await ask(differences)).toEqual([status, reason]);
});

test('APNs refuses another team, and a provider token older than one hour', async () => {
  expect(await ask({ authorization: providerToken(undefined, 'SOMEBODY00') })).toEqual([403, 'InvalidProviderToken']);
  const old = Math.floor(Date.now() / 1000) - 3_700;
  expect(await ask({ authorization: providerToken(old) })).toEqual([403, 'ExpiredProviderToken']);
});

test('APNs refuses a payload of more than 4,096 bytes, and an empty one', async () => {
  expect(await ask({}, JSON.stringify({ aps: {}, text: 'x'.repeat(4_096) }))).toEqual([413, 'PayloadTooLarge']);
  expect(await ask({}, '')).toEqual([400, 'PayloadEmpty']);
});

describe('FCM', () => {
  const send = (message: unknown, token = 'none') =>
    fetch(`${standin.fcmUrl}/v1/projects/membership-standin/messages:send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ message }),
    });
  const redeem = async (claims: object) => {
    const { private_key: key, client_email } = readCredentials(credentials).serviceAccount;
    const now = Math.floor(Date.now() / 1000);
    const scope = 'https://www.googleapis.com/auth/firebase.messaging';
    const usual = { iss: client_email, aud: 'https://oauth2.googleapis.com/token', scope, iat: now, exp: now + 3_600 };
    const assertion = sign({ ...usual, ...claims }, key, { algorithm: 'RS256' });
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const answer = await fetch(`${standin.fcmUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type, assertion }),
    });
    return (await answer.json()) as { access_token?: string; error?: string };
  };

  test('FCM accepts a message with an access token, and none without', async () => {
    const { access_token: token } = await redeem({});
    const message = { token: 'd'.repeat(40), notification: { title: 'Hello' } };
    expect((await send(message, token)).status).toBe(200);
    expect((await send(message)).status).toBe(401);
    expect((await send(message, `${token?.slice(0, -2)}zz`)).status).toBe(401);
  });

  test.each([
    [{ aud: 'https://example.org' }, 'invalid_grant'],
    [{ iss: 'somebody@example.org' }, 'invalid_grant'],
    [{ exp: Math.floor(Date.now() / 1000) + 90_000 }, 'invalid_grant'],
    [{ exp: 1, iat: 0 }, 'invalid_grant'],
    [{ scope: 'email' }, 'invalid_scope'],
  ])('FCM gives no access token for %j', async (claims, error) => {
    expect(await redeem(claims)).toMatchObject({ error });
  });

  test('FCM names the invalid field of a message', async () => {
    const { access_token: token } = await redeem({});
    const details = async (message: unknown) => {
      const answer = (await (await send(message, token)).json()) as { error: { details: { '@type': string }[] } };
      return answer.error.details.map((detail) => detail['@type'].split('.').at(-1));
    };
    expect(await details({ token: 'short' })).toEqual(['FcmError']);
    expect(await details({ token: 'd'.repeat(40), data: { number: 1 } })).toEqual(['BadRequest']);
    expect(await details({ token: 'd'.repeat(40), data: { long: 'x'.repeat(4_096) } })).toEqual(['BadRequest']);
  });
});

test('credentials, phones and their messages survive a restart', async () => {
  const phone = standin.phones.make('ios', 'sandbox');
  await ask();
  const before = [readFileSync(files.apnsKey, 'utf8'), standin.phones.arrivals().length];
  await standin.close();
  standin = await start();
  expect([readFileSync(files.apnsKey, 'utf8'), standin.phones.arrivals().length]).toEqual(before);
  expect(standin.phones.find(phone.token)).toEqual(phone);
  expect(statSync(files.apnsKey).mode & 0o077).toBe(0);
});

describe('environment of programs', () => {
  const environmentWith = (environment: NodeJS.ProcessEnv) =>
    Object.keys(pushEnvironment(readSettings({ DATA_DIR: folder, ...environment })));

  test('programs get the addresses of the stand-ins once the credentials exist', () => {
    makeCredentials(credentials);
    expect(environmentWith({})).toContain('APNS_KEY_FILE');
    expect(environmentWith({ DATA_DIR: path.join(folder, 'elsewhere') })).toEqual([]);
  });

  test('programs get no stand-in when a real gateway is named, and never in production', () => {
    expect(environmentWith({ APNS_KEY: 'x' })).toEqual([]);
    expect(environmentWith({ FCM_SERVICE_ACCOUNT_FILE: '/run/secrets/fcm' })).toEqual([]);
    expect(environmentWith({ NODE_ENV: 'production' })).toEqual([]);
  });
});
