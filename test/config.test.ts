/** @jest-environment node */
import { readFileSync } from 'node:fs';
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
};

test('an empty environment is a development machine', () => {
  expect(parseEnvironment({})).toMatchObject({ production: false, PORT: 8000, backendUrl: 'http://localhost:8000' });
});

test('every wrong variable is named at once, and no value is shown', () => {
  const wrong = { PORT: 'many', JWT_KEYS: 'k:short', LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'nowhere' };
  expect(() => parseEnvironment(wrong)).toThrow(/PORT: [^]*LOG_LEVEL: |LOG_LEVEL: [^]*PORT: /);
  expect(() => parseEnvironment(wrong)).not.toThrow(/short|loud|nowhere/);
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

test('a complete production environment is accepted, and knows no owner unless it is told', () => {
  const parsed = parseEnvironment(PRODUCTION);
  expect(parsed).toMatchObject({ production: true, cookieSecure: true });
  expect(() => parsed.DATABASE_OWNER_URL).toThrow(/DATABASE_OWNER_URL is required/);
});

test('a key must be 32 bytes', () => {
  expect(() => parseEnvironment({ DATA_KEYS: 'k1:c2hvcnQ=' })).toThrow(/DATA_KEYS: must be id:secret pairs/);
});

test('every variable is in the README', () => {
  const source = readFileSync('config.ts', 'utf8');
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name as string);
  const readme = readFileSync('README.md', 'utf8');
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
