/** Passwords at rest: argon2id (RFC 9106), the library's default, with the parameters that OWASP's password storage cheat sheet names. */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
/** A hash of nothing anybody knows: what is verified where there is no account, so that the work is the same. */
const NOBODYS_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(16)}$${base64(32)}`;

/** The same text may be typed as different code points, depending on the keyboard (NIST SP 800-63B, 5.1.1.2). */
const normalized = (password: string): string => password.normalize('NFKC');

/** @returns an encoded argon2id hash with its own salt. Call it in a hash slot. */
export const hashPassword = (password: string): Promise<string> =>
  hash(normalized(password), {
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
  });

/** Takes the same time whether there is a hash or not, the password empty or not. Call it in a hash slot. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODYS_HASH, normalized(password));
  return matches && passwordHash !== null;
}
