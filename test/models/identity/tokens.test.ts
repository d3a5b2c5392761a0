import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { config } from '../../../config.js';
import { signToken, type TokenType, verifyToken } from '../../../models/identity/tokens.js';

const FIRST = { id: 'first', secret: 'a-first-secret-for-the-ring-0000000' };
const SECOND = { id: 'second', secret: 'a-second-secret-for-the-ring-000000' };
const OTHER = { id: 'other', secret: 'a-secret-that-is-not-in-the-ring-00' };
const before = [...config.JWT_KEYS];

const ring = (...keys: { id: string; secret: string }[]) => void config.JWT_KEYS.splice(0, Infinity, ...keys);
beforeEach(() => ring(FIRST, SECOND));
afterAll(() => ring(...before));

const claims = { sub: randomUUID(), sid: randomUUID(), org: randomUUID() };
const access = (seconds = 60) => signToken({ ...claims, typ: 'access' }, seconds);

/** A token as an attacker might make it. */
function forged(payload: object, { key = FIRST, ...options }: jwt.SignOptions & { key?: typeof FIRST } = {}): string {
  const whole = { typ: 'access', ...claims, ...payload };
  return jwt.sign(whole, key.secret, {
    algorithm: 'HS256',
    keyid: key.id,
    issuer: 'chapter-membership-platform',
    audience: 'chapter-membership-api',
    expiresIn: 60,
    ...options,
  });
}

test('a signed token verifies, and returns its claims', () => {
  expect(verifyToken(access(), 'access')).toMatchObject({ ...claims, typ: 'access' });
  expect(verifyToken(forged({}), 'access')).not.toBeNull();
});

test('every key of the ring verifies, the first one signs, and a removed key is refused', () => {
  ring(SECOND);
  const old = access();
  ring(FIRST, SECOND);
  expect(verifyToken(old, 'access')).not.toBeNull();
  expect(jwt.decode(access(), { complete: true })?.header.kid).toBe('first');
  ring(FIRST);
  expect(verifyToken(old, 'access')).toBeNull();
});

test('a token that was verified before still expires', () => {
  const token = access(60);
  expect(verifyToken(token, 'access')).not.toBeNull();
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  expect(verifyToken(token, 'access')).toBeNull();
  now.mockRestore();
});

test("a key is not tried under another key's name", () => {
  expect(verifyToken(forged({}, { key: OTHER }), 'access')).toBeNull();
  expect(verifyToken(forged({}, { key: { id: 'first', secret: SECOND.secret } }), 'access')).toBeNull();
});

test('a token of one type is not accepted as another', () => {
  const types: TokenType[] = ['access', 'refresh', 'restore'];
  for (const made of types) {
    const token = signToken({ ...claims, typ: made, jti: randomUUID() }, 60);
    for (const expectedType of types) expect(verifyToken(token, expectedType) !== null).toBe(expectedType === made);
  }
});

test.each<[string, () => string]>([
  [
    'without a signature',
    () =>
      jwt.sign({ typ: 'access', ...claims, exp: Date.now() }, '', {
        algorithm: 'none',
        keyid: 'first',
      } as jwt.SignOptions),
  ],
  ['with another algorithm', () => forged({}, { algorithm: 'HS512' })],
  ['of another issuer', () => forged({}, { issuer: 'someone-else' })],
  ['for another audience', () => forged({}, { audience: 'something-else' })],
  ['that has expired', () => access(-1)],
  [
    'without an expiry',
    () =>
      jwt.sign({ typ: 'access', ...claims }, FIRST.secret, {
        keyid: 'first',
        issuer: 'chapter-membership-platform',
        audience: 'chapter-membership-api',
      }),
  ],
  ['without a type', () => forged({ typ: undefined })],
  ['whose subject is no id', () => forged({ sub: 'admin' })],
  ['whose organization is missing', () => forged({ org: undefined })],
  ['without a key id', () => jwt.sign({ typ: 'access', ...claims }, FIRST.secret, { expiresIn: 60 })],
  ['that is none', () => 'a.b.c'],
  ['that is empty', () => ''],
])('a token %s is refused', (_name, make) => {
  expect(verifyToken(make(), 'access')).toBeNull();
});

test('a token with a changed payload is refused', () => {
  const [header, , signature] = access().split('.');
  const payload = Buffer.from(
    JSON.stringify({ typ: 'access', ...claims, sub: randomUUID(), exp: 9_999_999_999 }),
  ).toString('base64url');
  expect(verifyToken([header, payload, signature].join('.'), 'access')).toBeNull();
});
