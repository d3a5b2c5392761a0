/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DEVELOPMENT_SECRETS, parseEnvironment } from '../config.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:a-long-password@db.internal/membership',
  TEMPORAL_ADDRESS: 'temporal.internal:7233',
  JWT_KEYS: `k1:${'s'.repeat(32)}`,
  DATA_KEYS: `k1:${KEY}`,
  TEMPORAL_PAYLOAD_KEYS: `k1:${KEY}`,
  SMTP_URL: 'smtps://mail.internal',
  FRONTEND_URL: 'https://app.example.org',
  BACKEND_URL: 'https://api.example.org',
  WEBAUTHN_RP_ID: 'example.org',
};

test('an empty environment is a development machine', () => {
  expect(parseEnvironment({})).toMatchObject({ production: false, PORT: 8000, backendUrl: 'http://localhost:8000' });
});

test('every wrong variable is named at once, and no value is shown', () => {
  const wrong = { PORT: 'many', JWT_KEYS: 'k:short', LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'nowhere' };
  expect(() => parseEnvironment(wrong)).toThrow(/PORT: [^]*LOG_LEVEL: |LOG_LEVEL: [^]*PORT: /);
  expect(() => parseEnvironment(wrong)).not.toThrow(/short|loud|nowhere/);
});

test('Temporal may have several addresses', () => {
  const several = 'one.internal:7233,127.0.0.2:7234';
  expect(parseEnvironment({ TEMPORAL_ADDRESS: several }).TEMPORAL_ADDRESS).toBe(several);
  for (const wrong of ['one.internal:7233,', 'one.internal:7233,two', 'one.internal, two:7233'])
    expect(() => parseEnvironment({ TEMPORAL_ADDRESS: wrong })).toThrow(/TEMPORAL_ADDRESS/);
});

test('a temporary password lasts from an hour to a week', () => {
  expect(parseEnvironment({})).toMatchObject({ TEMPORARY_PASSWORD_HOURS: 72 });
  expect(parseEnvironment({ TEMPORARY_PASSWORD_HOURS: '168' })).toMatchObject({ TEMPORARY_PASSWORD_HOURS: 168 });
  for (const hours of ['0', '169', '1.5'])
    expect(() => parseEnvironment({ TEMPORARY_PASSWORD_HOURS: hours })).toThrow(/TEMPORARY_PASSWORD_HOURS/);
});

test('production takes nothing for granted', () => {
  expect(() => parseEnvironment({ NODE_ENV: 'production' })).toThrow(
    /DATABASE_URL is required[^]*TEMPORAL_ADDRESS is required[^]*JWT_KEYS is required[^]*DATA_KEYS is required/,
  );
});

test.each([
  ['JWT_KEYS', `k1:${DEVELOPMENT_SECRETS.jwtKey}`],
  ['DATA_KEYS', `k1:${DEVELOPMENT_SECRETS.dataKey}`],
  ['DATABASE_URL', 'postgres://membership_runtime:runtime@db.internal/membership'],
])('production refuses the development secret of %s', (name, value) => {
  expect(() => parseEnvironment({ ...PRODUCTION, [name]: value })).toThrow(new RegExp(`${name} holds a development`));
});

test('production refuses links without TLS', () => {
  expect(() => parseEnvironment({ ...PRODUCTION, FRONTEND_URL: 'http://app.example.org' })).toThrow(
    /FRONTEND_URL must use https/,
  );
});

describe.each(['FRONTEND_URL', 'BACKEND_URL'])('%s is an origin', (name) => {
  const accepted = { FRONTEND_URL: 'frontendUrl', BACKEND_URL: 'backendUrl' }[name] as 'frontendUrl';
  test.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://App.Example.org/', 'https://app.example.org'],
    ['https://app.example.org:443', 'https://app.example.org'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is one', (given, kept) => {
    expect(parseEnvironment({ [name]: given })[accepted]).toBe(kept);
  });
  test.each([
    'localhost:3000',
    'app.example.org',
    'ftp://app.example.org',
    'https://app.example.org/members',
    'https://app.example.org/?a=1',
    'https://app.example.org/#top',
    'https://user:pass@app.example.org',
    'javascript:alert(1)',
  ])('%s is none, and the start says what to write', (given) => {
    expect(() => parseEnvironment({ [name]: given })).toThrow(
      new RegExp(`${name}: must be an origin: http:// or https://, a host .* for example https://app.example.org`),
    );
  });
});

test.each([
  ['SMTP_URL', 'localhost:1025', 'smtp://'],
  ['DATABASE_URL', 'localhost:5432/membership', 'postgres://'],
  ['DATABASE_OWNER_URL', 'mysql://127.0.0.1/membership', 'postgres://'],
  ['DATABASE_LISTEN_URL', 'localhost:5432/membership', 'postgres://'],
  ['STRIPE_API_URL', 'localhost:12111', 'http://'],
  ['TEMPORAL_UI_URL', 'localhost:8233', 'http://'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'http://'],
  ['SOCIALNET_TOKEN_URL', 'localhost:12113/token', 'http://'],
])('%s without its scheme is refused', (name, given, scheme) => {
  expect(() => parseEnvironment({ [name]: given })).toThrow(
    new RegExp(`${name}: must be an address that begins with ${scheme}`),
  );
});

test.each(['CKO_SECRET_KEY', 'CKO_SECRET', 'CKO_PUBLIC_KEY'])('with %s nothing starts', (name) => {
  expect(() => parseEnvironment({ [name]: 'sk_of_somebody' })).toThrow(new RegExp(`${name} would replace every`));
});

test('a limit names a scope that there is', () => {
  expect(parseEnvironment({ THROTTLE_LIMITS: '{"auth": 900}' }).THROTTLE_LIMITS).toEqual({ auth: 900 });
  expect(() => parseEnvironment({ THROTTLE_LIMITS: '{"auht": 900, "auth": 1}' })).toThrow(
    /THROTTLE_LIMITS: no such scope: auht. Scopes are default_anonymous, .*email_verification/,
  );
  expect(() => parseEnvironment({ THROTTLE_LIMITS: '{"auth": 0}' })).toThrow(/THROTTLE_LIMITS: must be a JSON object/);
});

test('a complete production environment is accepted, and knows no owner unless it is told', () => {
  const parsed = parseEnvironment(PRODUCTION);
  expect(parsed).toMatchObject({ production: true, cookieSecure: true });
  expect(() => parsed.DATABASE_OWNER_URL).toThrow(/DATABASE_OWNER_URL is required/);
  expect(() => parsed.STRIPE_SECRET_KEY).toThrow(/STRIPE_SECRET_KEY is required/);
});

test('a key must be 32 bytes', () => {
  expect(() => parseEnvironment({ DATA_KEYS: 'k1:c2hvcnQ=' })).toThrow(/DATA_KEYS: must be id:secret pairs/);
});

describe('push', () => {
  const key = '-----BEGIN PRIVATE KEY-----';
  const account = { type: 'service_account', project_id: 'p-1', client_email: 'a@p-1.example.org', private_key: key };

  test('production starts without credentials', () => {
    const { apns, FCM_SERVICE_ACCOUNT } = parseEnvironment(PRODUCTION);
    expect([apns, FCM_SERVICE_ACCOUNT]).toEqual([null, undefined]);
  });

  test('team and topic are those of the first app, unless they are told', () => {
    const given = {
      APNS_KEY: key,
      APNS_KEY_ID: 'ABCDEFGHIJ',
      APPLE_APP_IDS: '1234567890.org.example.app,ABCDE12345.b',
    };
    expect(parseEnvironment(given).apns).toMatchObject({
      teamId: '1234567890',
      topic: 'org.example.app',
      keyId: 'ABCDEFGHIJ',
    });
    const told = parseEnvironment({ ...given, APNS_TEAM_ID: 'TEAM000001', APNS_TOPIC: 'org.example.dev' });
    expect(told.apns).toMatchObject({ teamId: 'TEAM000001', topic: 'org.example.dev' });
  });

  test('what a key lacks is named', () => {
    expect(() => parseEnvironment({ APNS_KEY: key })).toThrow(
      /APNS_KEY needs APNS_KEY_ID[^]*APNS_KEY needs APNS_TEAM_ID or APPLE_APP_IDS[^]*APNS_KEY needs APNS_TOPIC/,
    );
    expect(() => parseEnvironment({ APNS_KEY_ID: 'ABCDEFGHIJ' })).toThrow(/APNS_KEY_ID needs APNS_KEY/);
  });

  test('of a service account what is needed is kept, and a wrong one is not shown', () => {
    const { type: _, ...needed } = account;
    expect(parseEnvironment({ FCM_SERVICE_ACCOUNT: JSON.stringify(account) }).FCM_SERVICE_ACCOUNT).toEqual(needed);
    const wrong = { FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, project_id: '' }) };
    expect(() => parseEnvironment(wrong)).toThrow(/FCM_SERVICE_ACCOUNT: must be the JSON of a service account/);
    expect(() => parseEnvironment(wrong)).not.toThrow(/BEGIN/);
  });

  test.each(['FCM_URL', 'FCM_TOKEN_URL', 'APNS_URL'])('%s without TLS is refused in production', (name) => {
    expect(() => parseEnvironment({ ...PRODUCTION, [name]: 'http://push.example.org' })).toThrow(
      new RegExp(`${name}:? must use https`),
    );
  });
});

describe('secrets by file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'config-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  test('every variable can be given as a file, whose value is trimmed', () => {
    const { DATABASE_URL, DATA_KEYS, PORT: _, ...others } = { ...PRODUCTION, PORT: '' };
    const parsed = parseEnvironment({
      ...others,
      DATABASE_URL_FILE: file('database_url', `${DATABASE_URL}\n`),
      DATA_KEYS_FILE: file('data_keys', ` ${DATA_KEYS}\r\n`),
      PORT_FILE: file('port', '9000\n'),
    });
    expect(parsed).toMatchObject({ DATABASE_URL, DATA_KEYS: [{ id: 'k1', secret: KEY }], PORT: 9000 });
  });

  test('a variable that is given twice is refused, without its value', () => {
    const twice = { ...PRODUCTION, DATA_KEYS_FILE: file('twice', 'k2:other') };
    expect(() => parseEnvironment(twice)).toThrow('DATA_KEYS and DATA_KEYS_FILE are both set');
    expect(() => parseEnvironment(twice)).not.toThrow(/k2:other/);
  });

  test('a file that cannot be read is named, and so is an empty one', () => {
    const { JWT_KEYS: _jwt, SMTP_URL: _smtp, ...others } = PRODUCTION;
    const missing = path.join(folder, 'nowhere');
    expect(() => parseEnvironment({ ...others, JWT_KEYS_FILE: missing, SMTP_URL_FILE: file('empty', '\n') })).toThrow(
      /JWT_KEYS_FILE cannot be read \(ENOENT\)[^]*SMTP_URL_FILE names an empty file/,
    );
  });

  test('what a file holds is checked as if it were given directly', () => {
    const { DATABASE_URL: _, ...others } = PRODUCTION;
    const known = file('known', 'postgres://membership_runtime:runtime@db.internal/membership');
    expect(() => parseEnvironment({ ...others, DATABASE_URL_FILE: known })).toThrow(
      /DATABASE_URL holds a development password/,
    );
  });
});

test('a client certificate and its key go together, and must be PEM', () => {
  const pem = '-----BEGIN CERTIFICATE-----';
  expect(() => parseEnvironment({ TEMPORAL_TLS_CERT: pem })).toThrow(
    /TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together/,
  );
  expect(() => parseEnvironment({ TEMPORAL_TLS_CA: '/etc/ca.pem' })).toThrow(/TEMPORAL_TLS_CA: must be a PEM text/);
});

test('metrics stay on the machine in development and are reachable in production; tracing is off until an endpoint is named', () => {
  expect(parseEnvironment({})).toMatchObject({ metricsHost: '127.0.0.1', tracing: false });
  expect(parseEnvironment({}).METRICS_PORT).toBeUndefined();
  expect(parseEnvironment(PRODUCTION)).toMatchObject({ metricsHost: '0.0.0.0', tracing: false });
  const asked = {
    METRICS_PORT: '9464',
    METRICS_HOST: '10.0.0.7',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  };
  expect(parseEnvironment({ ...PRODUCTION, ...asked })).toMatchObject({
    METRICS_PORT: 9464,
    metricsHost: '10.0.0.7',
    tracing: true,
  });
  expect(() => parseEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT: /);
});

test('the domain of passkeys is a domain that the front end or a configured origin belongs to', () => {
  const production = (given: object) => () => parseEnvironment({ ...PRODUCTION, ...given });
  for (const domain of ['https://example.org', 'example.org:443', 'Example.org', '-example.org', 'example'])
    expect(production({ WEBAUTHN_RP_ID: domain })).toThrow(/WEBAUTHN_RP_ID: must be a domain/);
  for (const domain of ['example.com', 'ample.org'])
    expect(production({ WEBAUTHN_RP_ID: domain })).toThrow(/WEBAUTHN_RP_ID is neither/);
  expect(production({ WEBAUTHN_RP_ID: '' })).toThrow(/WEBAUTHN_RP_ID is required/);
  expect(production({ WEBAUTHN_RP_ID: 'app.example.org' })).not.toThrow();
  expect(production({ WEBAUTHN_RP_ID: 'members.net', WEBAUTHN_ORIGINS: 'https://www.members.net' })).not.toThrow();
});

test.each([
  ['WEBAUTHN_ORIGINS', 'https://example.org/', 'https://example.org:8443'],
  ['WEBAUTHN_ORIGINS', 'android:apk-key-hash:short', `android:apk-key-hash:${'a'.repeat(43)}`],
  ['APPLE_APP_IDS', 'org.example.app', 'ABCDE12345.org.example.app'],
  ['ANDROID_APPS', 'org.example.app', `org.example.app:${Array(32).fill('aB').join(':')}`],
  [
    'ANDROID_APPS',
    `org.example.app:${Array(31).fill('AB').join(':')}`,
    `org.example.app:${Array(32).fill('00').join(':')}`,
  ],
])('%s refuses %s', (name, wrong, right) => {
  expect(() => parseEnvironment({ [name]: wrong })).toThrow(new RegExp(`${name}: must be`));
  expect(parseEnvironment({ [name]: ` ${right} , ${right},` })).toMatchObject({ [name]: [right, right] });
});

test('production refuses origins of passkeys without TLS', () => {
  expect(() => parseEnvironment({ ...PRODUCTION, WEBAUTHN_ORIGINS: 'https://example.org,http://example.org' })).toThrow(
    /WEBAUTHN_ORIGINS must use https/,
  );
});
