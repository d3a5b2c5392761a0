/** Begins a sign-in by OAuth: from the sign-in button to the provider. */
import { authorizationUrl, connect, newChecks, OidcFailure } from '../../../gateways/oidc/client.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { ActiveConnection } from '../../../models/identity/sso/connections.js';
import { beginFlow, type NewFlow } from '../../../models/identity/sso/flows.js';
import { decryptOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { oidcProviderOf, redirectUriOf } from './oidcProvider.js';

export type SignInOptions = Pick<NewFlow, 'platform' | 'codeChallenge' | 'reauthenticate'>;

/**
 * Stores a flow.
 * @returns the provider's address for the browser, and the token for the browser's flow cookie
 * @throws SignInRefused
 */
export async function beginOAuth(connection: ActiveConnection, options: SignInOptions) {
  const refused = { connectionId: connection.id, platform: options.platform };
  const stored = await inTenant(connection.organization_id, () => decryptOAuthConfiguration(connection.id), {
    readOnly: true,
  });
  if (!stored) throw new SignInRefused('connection_inactive', refused);
  const checks = newChecks(options.reauthenticate);
  const secrets = { checks: JSON.stringify(checks) };
  const { flowId, browserToken } = await beginFlow({ ...options, connection, secrets });
  try {
    const client = await connect(oidcProviderOf(stored));
    const redirectUri = redirectUriOf(connection.slug);
    const url = await authorizationUrl(client, { redirectUri, scopes: stored.scopes, state: flowId, checks });
    return { url, browserToken };
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    throw new SignInRefused(error.reason, { ...refused, detail: error.code });
  }
}
