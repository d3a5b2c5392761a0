/**
 * The URLs to which finished sign-ins redirect. A client sends only the name of its platform, never a URL (spec: Native
 * SSO).
 */
import { config } from '../../../config.js';

export type SsoPlatform = 'web' | 'native';

/** Returns `native` for the hint `native`, else `web`. */
export const platformOf = (hint: unknown): SsoPlatform => (hint === 'native' ? 'native' : 'web');

const callbackTarget = (platform: SsoPlatform): string =>
  platform === 'native' ? `${config.MOBILE_APP_SCHEME}://auth/sso/callback` : `${config.frontendUrl}/auth/sso/callback`;

/**
 * Returns the URL if its scheme is http, https or the deployment's own app scheme.
 * @throws Error for any other scheme, which would be a programming error
 */
export function permittedRedirect(url: string): string {
  const { protocol } = new URL(url);
  if (!['http:', 'https:', `${config.MOBILE_APP_SCHEME}:`].includes(protocol)) {
    throw new Error(`Redirects to the scheme ${protocol} are not permitted.`);
  }
  return url;
}

/** Returns the URL of the callback with its only parameter: a code or an error. */
export function callbackWith(platform: SsoPlatform, name: 'code' | 'error', value: string): string {
  return permittedRedirect(`${callbackTarget(platform)}?${name}=${encodeURIComponent(value)}`);
}
