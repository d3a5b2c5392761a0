/**
 * Password hashing with argon2id (RFC 9106), the library's default, and the parameters of OWASP's password storage
 * cheat sheet.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
/** A hash that no password matches. Verified when there is no account, so that the work is the same. */
const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(16)}$${base64(32)}`;

/**
 * Normalizes a password. Depending on the keyboard, the same text is typed as different code points (NIST SP 800-63B,
 * 5.1.1.2).
 */
const normalizePassword = (password: string): string => password.normalize('NFKC');

/**
 * Hashes a password. Call it in a hash slot.
 * @returns an encoded argon2id hash with its own salt
 */
export const hashPassword = (password: string): Promise<string> =>
  hash(normalizePassword(password), {
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
  });

/** Verifies a password in the same time with and without a hash, and for an empty password. Call it in a hash slot. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? DUMMY_HASH, normalizePassword(password));
  return matches && passwordHash !== null;
}
