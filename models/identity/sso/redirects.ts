/** Redirect targets of finished sign-ins. Callers name a platform, never an address (spec: Native SSO). */
import { config } from '../../../config.js';

export type SsoPlatform = 'web' | 'native';

/** Returns `native` for the hint `native`, else `web`. */
export const platformOf = (hint: unknown): SsoPlatform => (hint === 'native' ? 'native' : 'web');

const callbackTarget = (platform: SsoPlatform): string =>
  platform === 'native' ? `${config.MOBILE_APP_SCHEME}://auth/sso/callback` : `${config.frontendUrl}/auth/sso/callback`;

/**
 * Requires the scheme http, https or the deployment's own app scheme.
 * @throws Error for any other scheme, which would be our own mistake
 */
export function permittedRedirect(url: string): string {
  const { protocol } = new URL(url);
  if (!['http:', 'https:', `${config.MOBILE_APP_SCHEME}:`].includes(protocol)) {
    throw new Error(`Redirects to the scheme ${protocol} are not permitted.`);
  }
  return url;
}

/** Returns the callback's address with its one parameter. */
export function callbackWith(platform: SsoPlatform, name: 'code' | 'error', value: string): string {
  return permittedRedirect(`${callbackTarget(platform)}?${name}=${encodeURIComponent(value)}`);
}
