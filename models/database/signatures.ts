/**
 * Signs tokens that leave the platform in mails or API responses and come back later. Signs with the first of JWT_KEYS,
 * and verifies with any of them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../../config.js';

/** Length of HMAC-SHA256 in bytes. Where space is short, callers use a prefix. */
const MAC_BYTES = 32;

const mac = (secret: string, purpose: string, text: string, bytes: number): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest().subarray(0, bytes);

/**
 * Signs a text.
 * @param purpose keeps a signature from being valid for another use
 */
export function sign(purpose: string, text: string, bytes = MAC_BYTES): Buffer {
  const [key] = config.JWT_KEYS;
  if (!key) throw new Error('JWT_KEYS is empty.');
  return mac(key.secret, purpose, text, bytes);
}

/** Verifies a signature in constant time. */
export const isSigned = (purpose: string, text: string, signature: Buffer, bytes = MAC_BYTES): boolean =>
  signature.length === bytes &&
  config.JWT_KEYS.some(({ secret }) => timingSafeEqual(signature, mac(secret, purpose, text, bytes)));
