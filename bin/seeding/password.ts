import { hashPassword } from '../../models/identity/passwordHash.js';

let made: Promise<string> | undefined;

/** The argon2id hash that all seeded people share: hashing for each would take minutes at larger sizes. */
export function hashOnce(password: string): Promise<string> {
  made ??= hashPassword(password);
  return made;
}
