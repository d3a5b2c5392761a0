import { createHash } from 'node:crypto';

/** Maximum length of an idempotency key: the shortest limit among all providers. */
const MAX_KEY_LENGTH = 45;

/** Shortens an idempotency key: the same key always gives the same short key. */
export const shortKey = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
