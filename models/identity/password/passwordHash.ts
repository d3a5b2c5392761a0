/**
 * Password hashing with argon2id (RFC 9106), which is the library's default algorithm. The parameters are from OWASP's
 * password storage cheat sheet.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
/**
 * A hash that no password matches. It is verified when an account does not exist, so that the response takes as long as
 * for an existing account.
 */
const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(16)}$${base64(32)}`;

/**
 * Normalizes a password, because keyboards may encode the same text as different code points (NIST SP 800-63B,
 * 5.1.1.2).
 */
const normalizePassword = (password: string): string => password.normalize('NFKC');

/**
 * Hashes a password. Call it through `inHashSlot`.
 * @returns an encoded argon2id hash with its own salt
 */
export const hashPassword = (password: string): Promise<string> =>
  hash(normalizePassword(password), {
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
  });

/** Verifies a password. Takes the same time if there is no hash. Call it through `inHashSlot`. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? DUMMY_HASH, normalizePassword(password));
  return matches && passwordHash !== null;
}
