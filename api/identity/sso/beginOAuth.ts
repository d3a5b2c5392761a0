/** From a sign-in button to the provider. */
import { authorizationUrl, connect, newChecks, OidcFailure } from '../../../gateways/oidc/client.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { SsoConnection } from '../../../models/identity/sso/connections.js';
import { beginFlow, type NewFlow } from '../../../models/identity/sso/flows.js';
import { openOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { failSignIn } from '../../../models/identity/sso/signIn.js';
import { log } from '../../../models/log.js';
import { flowCookie, redirectTo } from './redirect.js';
import { oidcProviderOf, redirectUriOf } from './oidcProvider.js';

export type Beginning = Pick<NewFlow, 'platform' | 'codeChallenge' | 'reauthenticate'>;

/** @returns the redirect to the provider, or to the callback when the provider cannot be asked */
export async function beginOAuth(connection: SsoConnection, beginning: Beginning) {
  const stored = await inTenant(connection.organization_id, () => openOAuthConfiguration(connection.id), {
    readOnly: true,
  });
  if (!stored) return redirectTo(failSignIn(beginning, 'connection_inactive').redirectTo);
  const checks = newChecks(beginning.reauthenticate);
  const secrets = { checks: JSON.stringify(checks) };
  const { flowId, browserToken } = await beginFlow({ ...beginning, connection, secrets });
  try {
    const client = await connect(oidcProviderOf(stored));
    const redirectUri = redirectUriOf(connection.slug);
    const url = await authorizationUrl(client, { redirectUri, scopes: stored.scopes, state: flowId, checks });
    return redirectTo(url, [flowCookie(browserToken)]);
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    log.warn(
      { part: 'sso', organizationId: connection.organization_id, code: error.code },
      'A provider cannot be asked',
    );
    return redirectTo(failSignIn(beginning, error.reason).redirectTo);
  }
}
