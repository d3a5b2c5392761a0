/**
 * The HTTPS address to which the professional network redirects when an account is linked in the mobile app. It
 * redirects on to the app (spec: Professional-network account linking, 3).
 */
import { z } from 'zod';
import { config } from '../../config.js';

/**
 * Parameters that are forwarded to the app, with their maximum lengths. Longer values are dropped; the network sends
 * none.
 */
const FORWARDED = { code: 4_096, state: 200, error: 100, error_description: 500 } as const;

const text = z.union([z.string(), z.array(z.string())]).optional();

/** Other parameters of the network are dropped, not refused. */
export const BounceQuery = z
  .looseObject({ code: text, state: text, error: text, error_description: text })
  .transform((params): Record<string, string> => {
    const entries = Object.entries(FORWARDED).flatMap(([name, longest]) => {
      const value = params[name];
      return typeof value === 'string' && value !== '' && value.length <= longest ? [[name, value] as const] : [];
    });
    return Object.fromEntries(entries);
  });

/** Returns the address of the app. Only the values of the four parameters are copied into it. */
export function appAddress(forwarded: Record<string, string>): string {
  const query = new URLSearchParams(forwarded).toString();
  return `${config.MOBILE_APP_SCHEME}://socialnet/callback${query === '' ? '' : `?${query}`}`;
}
