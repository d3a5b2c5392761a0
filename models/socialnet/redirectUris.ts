/** Addresses to which the network may send people back (spec: Professional-network account linking, 2). */
import { config } from '../../config.js';
import type { SsoPlatform } from '../identity/sso/redirects.js';

/**
 * Returns the only two allowed redirect URIs. Native apps also use HTTPS, because the network does not accept app
 * schemes.
 */
const redirectUris = (): Record<SsoPlatform, string> => ({
  web: `${config.frontendUrl}/socialnet/callback`,
  native: `${config.backendUrl}/api/socialnet/native-callback/`,
});

export const redirectUriOf = (platform: SsoPlatform): string => redirectUris()[platform];

export const isAllowedRedirectUri = (uri: string): boolean => Object.values(redirectUris()).includes(uri);
