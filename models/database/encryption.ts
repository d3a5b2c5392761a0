/** Secrets at rest: AES-256-GCM, a key ring, and data that ties a ciphertext to its place. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { config } from '../../config.js';

/** Where a secret lives. A ciphertext that was copied to another row does not open. */
export interface Place {
  table: string;
  column: string;
  rowId: string;
}

const context = ({ table, column, rowId }: Place): Buffer => Buffer.from(`${table}/${column}/${rowId}`);
const keyBytes = (secret: string): Buffer => {
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 32) throw new Error('DATA_KEYS: each secret must be 32 bytes in base64.');
  return bytes;
};

/** Encrypts with the ring's first key. @returns `v1.<key id>.<iv>.<tag>.<ciphertext>` */
export function encrypt(plaintext: string, place: Place): string {
  const key = config.DATA_KEYS[0];
  if (!key) throw new Error('DATA_KEYS is empty.');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyBytes(key.secret), iv).setAAD(context(place));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return ['v1', key.id, ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'))].join('.');
}

/** @throws Error when the key is not in the ring, or the text was altered or moved from its place */
export function decrypt(stored: string, place: Place): string {
  const [version, keyId, iv, tag, ciphertext] = stored.split('.');
  const key = config.DATA_KEYS.find((candidate) => candidate.id === keyId);
  if (version !== 'v1' || !key || !iv || !tag || ciphertext === undefined)
    throw new Error('This secret cannot be opened.');
  const decipher = createDecipheriv('aes-256-gcm', keyBytes(key.secret), Buffer.from(iv, 'base64url'));
  decipher.setAAD(context(place)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()]).toString('utf8');
}

/** The same, for what can do without: null where it cannot be opened. */
export function decryptIfPossible(stored: string, place: Place): string | null {
  try {
    return decrypt(stored, place);
  } catch {
    return null;
  }
}

/** Whether a stored secret was encrypted with another key than the ring's first. */
export const needsRotation = (stored: string): boolean => stored.split('.')[1] !== config.DATA_KEYS[0]?.id;
