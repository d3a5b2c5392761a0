/**
 * Back-channel logout: a provider ends sessions by a request from server to server (OpenID Connect Back-Channel Logout
 * 1.0).
 */
import { OidcFailure } from '../../../gateways/oidc/client.js';
import { readLogoutToken } from '../../../gateways/oidc/logoutToken.js';
import { databaseNow } from '../../../models/database/clock.js';
import type { Origin } from '../../../models/database/connection.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { defineErrors, refuse } from '../../../models/errors.js';
import { findConnection } from '../../../models/identity/sso/connections.js';
import { decryptOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { endSessionsByProvider } from '../../../models/identity/sso/providerLogout.js';
import { log } from '../../../models/log.js';
import { oidcProviderOf } from './oidcProvider.js';

export const backchannelErrors = defineErrors({
  logout_token_refused: [
    400,
    'This logout token is not valid, or the keys of the identity provider cannot be read to check its signature.',
  ],
});

/**
 * Verifies a logout token and ends the sessions that it names.
 * @throws Refusal not_found; logout_token_refused, also when the provider's keys cannot be read, as the standard
 * requires
 */
export async function processLogoutToken(slug: string, token: string, origin: Origin): Promise<void> {
  const connection = await inPlatform(() => findConnection('oauth', slug), { readOnly: true });
  if (!connection) throw refuse.not_found();
  const { id: connectionId, organization_id: organizationId } = connection;
  const stored = await inTenant(organizationId, () => decryptOAuthConfiguration(connectionId), { readOnly: true });
  if (!stored) throw refuse.not_found();
  try {
    const { id: messageId, ...target } = await readLogoutToken(oidcProviderOf(stored), token, databaseNow());
    await inTenant(organizationId, () => endSessionsByProvider({ connectionId, messageId, ...target }), { origin });
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    log.info({ part: 'sso', organizationId, connectionId, code: error.code }, 'A logout token was refused');
    throw backchannelErrors.logout_token_refused();
  }
}
