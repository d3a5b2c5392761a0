/** The HTTPS hop of native linking: from the network back into the app (spec: Professional-network account linking, 3). */
import { z } from 'zod';
import { config } from '../../config.js';

/** All that is forwarded, and how many characters of it at most. What is longer is nothing that the network sends. */
const FORWARDED = { code: 4_096, state: 200, error: 100, error_description: 500 } as const;

const text = z.union([z.string(), z.array(z.string())]).optional();

/** Whatever else the network adds is dropped, not refused. */
export const BounceQuery = z
  .looseObject({ code: text, state: text, error: text, error_description: text })
  .transform((given): Record<string, string> => {
    const kept = Object.entries(FORWARDED).flatMap(([name, longest]) => {
      const value = given[name];
      return typeof value === 'string' && value !== '' && value.length <= longest ? [[name, value] as const] : [];
    });
    return Object.fromEntries(kept);
  });

/** The app's address: of the query nothing but values of the four parameters gets into it. */
export function appAddress(forwarded: Record<string, string>): string {
  const query = new URLSearchParams(forwarded).toString();
  return `${config.MOBILE_APP_SCHEME}://socialnet/callback${query === '' ? '' : `?${query}`}`;
}
