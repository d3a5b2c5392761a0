import { createHash } from 'node:crypto';

/** As long as any provider takes. */
const LONGEST = 45;

/** The same key of ours is always the same key there, however long it is. */
export const shortKey = (key: string): string =>
  key.length <= LONGEST ? key : createHash('sha256').update(key).digest('base64url');
