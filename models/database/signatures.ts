/**
 * Signs tokens that leave the platform in mail and answers and return: with the first of JWT_KEYS, verified with any
 * of them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../../config.js';

/** Length of HMAC-SHA256; where space is short, a prefix is used. */
const ALL = 32;

const mac = (secret: string, purpose: string, text: string, bytes: number): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest().subarray(0, bytes);

/** @param purpose separates signatures of different uses */
export function sign(purpose: string, text: string, bytes = ALL): Buffer {
  const [key] = config.JWT_KEYS;
  if (!key) throw new Error('JWT_KEYS is empty.');
  return mac(key.secret, purpose, text, bytes);
}

/** Verifies a signature in constant time. */
export const isSigned = (purpose: string, text: string, signature: Buffer, bytes = ALL): boolean =>
  signature.length === bytes &&
  config.JWT_KEYS.some(({ secret }) => timingSafeEqual(signature, mac(secret, purpose, text, bytes)));
