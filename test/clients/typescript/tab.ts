/** One tab of a browser. The test bundles this program and calls `me()`. */
import { createClient, type ErrorCode } from 'chapter-membership-client';

const client = createClient({ session: 'cookies' });

/** Returns the address of the signed-in person, or the code of the refusal. */
async function me(): Promise<string> {
  const result = await client.GET('/api/auth/me/');
  if (result.ok) return result.data.user.email;
  const code: ErrorCode | 'unknown' = result.kind === 'refused' ? result.code : 'unknown';
  // @ts-expect-error The compiler knows all codes.
  if (code === 'no_such_code') throw new Error('unreachable');
  return code;
}

Object.assign(globalThis, { me });
