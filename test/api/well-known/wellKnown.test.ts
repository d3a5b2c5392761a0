/** Tests the files by which apps and sites share passkeys, and the origins that follow from them. */
import { config } from '../../../config.js';
import { expectedOrigins } from '../../../models/identity/passkeys/relyingParty.js';
import { Client, startApi } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';

const FINGERPRINT = Array<string>(32).fill('AB').join(':');
const OTHER = Array<string>(32).fill('0C').join(':');
const NOTHING = { APPLE_APP_IDS: [], ANDROID_APPS: [], WEBAUTHN_ORIGINS: [] };

const api = anApi();
afterEach(() => Object.assign(config, NOTHING));

const read = (name: string) => new Client(api.url).get(`/.well-known/${name}`);

test.each(['apple-app-site-association', 'assetlinks.json', 'webauthn'])(
  '%s is a 404 when nothing is configured',
  async (name) => {
    const { status, body } = await read(name);
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test.each<[string, object, object]>([
  [
    'apple-app-site-association',
    { APPLE_APP_IDS: ['ABCDE12345.org.example.app'] },
    { webcredentials: { apps: ['ABCDE12345.org.example.app'] } },
  ],
  [
    'assetlinks.json',
    { ANDROID_APPS: [`org.example.app:${FINGERPRINT}`, `org.example.app:${OTHER.toLowerCase()}`] },
    [
      {
        relation: ['delegate_permission/common.get_login_creds'],
        target: {
          namespace: 'android_app',
          package_name: 'org.example.app',
          sha256_cert_fingerprints: [FINGERPRINT, OTHER],
        },
      },
    ],
  ],
  [
    'webauthn',
    { WEBAUTHN_ORIGINS: ['https://app.example.org', `android:apk-key-hash:${'a'.repeat(43)}`, 'https://example.net'] },
    { origins: ['https://app.example.org', 'https://example.net'] },
  ],
])('%s is JSON for every caller and not throttled', async (name, given, expected) => {
  Object.assign(config, given);
  const { status, body, headers } = await read(name);
  expect(status).toBe(200);
  expect(body).toEqual(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
  expect(headers.get('ratelimit')).toBeNull();
});

test('apps are expected origins by their certificate or domain, and sites by configuration', () => {
  expect(expectedOrigins()).toEqual([new URL(config.frontendUrl).origin, new URL(config.backendUrl).origin]);
  Object.assign(config, {
    WEBAUTHN_ORIGINS: ['https://app.example.org'],
    ANDROID_APPS: [`org.example.app:${FINGERPRINT}`],
    APPLE_APP_IDS: ['ABCDE12345.org.example.app'],
  });
  expect(expectedOrigins()).toEqual([
    'https://app.example.org',
    `android:apk-key-hash:${Buffer.alloc(32, 0xab).toString('base64url')}`,
    'https://localhost',
  ]);
});

describe.each(['/auth/passkey-demo', '/notifications/demo', '/forums/demo'])('the demo page %s', (address) => {
  test('the demo page loads files from this server only', async () => {
    const page = await new Client(api.url).get(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const loaded = [...(page.body as string).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) expect((await new Client(api.url).get(path)).status).toBe(200);
    expect((await new Client(api.url).post(address)).status).toBe(405);
  });

  test('the demo page is a 404 in production', async () => {
    Object.assign(config, { production: true });
    const production = await startApi();
    Object.assign(config, { production: false });
    for (const path of ['', '/', '/demo.js', '/style.css'])
      expect((await new Client(production.url).get(`${address}${path}`)).body.code).toBe('not_found');
    await production.close();
  });
});
