/** Where sign-ins end. Callers name a platform, never an address (spec: Native SSO). */
import { config } from '../../../config.js';

export type SsoPlatform = 'web' | 'native';

/** Anything but `native`, also nothing, is the web. */
export const platformOf = (hint: unknown): SsoPlatform => (hint === 'native' ? 'native' : 'web');

const callbackTarget = (platform: SsoPlatform): string =>
  platform === 'native' ? `${config.MOBILE_APP_SCHEME}://auth/sso/callback` : `${config.frontendUrl}/auth/sso/callback`;

/** Only http, https and the deployment's own scheme. @throws Error for any other: such an address is our own mistake */
export function permittedRedirect(url: string): string {
  const { protocol } = new URL(url);
  if (!['http:', 'https:', `${config.MOBILE_APP_SCHEME}:`].includes(protocol)) {
    throw new Error(`No redirect leads to the scheme ${protocol}`);
  }
  return url;
}

/** The callback with its one parameter. */
export function callbackWith(platform: SsoPlatform, name: 'code' | 'error', value: string): string {
  return permittedRedirect(`${callbackTarget(platform)}?${name}=${encodeURIComponent(value)}`);
}
