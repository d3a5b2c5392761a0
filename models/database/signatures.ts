/** What goes out and comes back from whoever has it, in mail and in answers: signed by the first of JWT_KEYS, proved by any of them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../../config.js';

/** HMAC-SHA256 has so many bytes; where there is no room for all the first ones do. */
const ALL = 32;

const mac = (secret: string, purpose: string, text: string, bytes: number): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest().subarray(0, bytes);

/** @param purpose keeps apart what is signed for different ends */
export function sign(purpose: string, text: string, bytes = ALL): Buffer {
  const [key] = config.JWT_KEYS;
  if (!key) throw new Error('JWT_KEYS is empty.');
  return mac(key.secret, purpose, text, bytes);
}

/** Whether a signature is ours. Takes the same time wherever it differs. */
export const isSigned = (purpose: string, text: string, signature: Buffer, bytes = ALL): boolean =>
  signature.length === bytes &&
  config.JWT_KEYS.some(({ secret }) => timingSafeEqual(signature, mac(secret, purpose, text, bytes)));
