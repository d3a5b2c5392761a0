/**
 * Encrypts secrets at rest with AES-256-GCM and a ring of keys. Additional authenticated data binds each ciphertext to
 * its column and row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { config } from '../../config.js';

/**
 * The place of a ciphertext, used as additional authenticated data (AAD). A ciphertext that is copied to another place
 * cannot be decrypted.
 */
export interface EncryptionContext {
  table: string;
  column: string;
  rowId: string;
}

const additionalData = ({ table, column, rowId }: EncryptionContext): Buffer =>
  Buffer.from(`${table}/${column}/${rowId}`);
const keyBytes = (secret: string): Buffer => {
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 32) throw new Error('DATA_KEYS: each secret must be 32 bytes in base64.');
  return bytes;
};

/** Encrypts with the ring's first key. @returns `v1.<key id>.<iv>.<tag>.<ciphertext>` */
export function encrypt(plaintext: string, context: EncryptionContext): string {
  const key = config.DATA_KEYS[0];
  if (!key) throw new Error('DATA_KEYS is empty.');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyBytes(key.secret), iv).setAAD(additionalData(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return ['v1', key.id, ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'))].join('.');
}

/**
 * Decrypts a stored secret.
 * @throws Error when its key is not in the ring, or when the text was altered or moved to another row
 */
export function decrypt(stored: string, context: EncryptionContext): string {
  const [version, keyId, iv, tag, ciphertext] = stored.split('.');
  const key = config.DATA_KEYS.find((candidate) => candidate.id === keyId);
  if (version !== 'v1' || !key || !iv || !tag || ciphertext === undefined)
    throw new Error('This secret cannot be decrypted: its format or its key is unknown.');
  const decipher = createDecipheriv('aes-256-gcm', keyBytes(key.secret), Buffer.from(iv, 'base64url'));
  decipher.setAAD(additionalData(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()]).toString('utf8');
}

/** Decrypts a stored secret. @returns null when it cannot be decrypted */
export function decryptIfPossible(stored: string, context: EncryptionContext): string | null {
  try {
    return decrypt(stored, context);
  } catch {
    return null;
  }
}

/**
 * Reports whether a stored secret should be encrypted again, because its key is no longer the first one of the ring.
 */
export const needsRotation = (stored: string): boolean => stored.split('.')[1] !== config.DATA_KEYS[0]?.id;
