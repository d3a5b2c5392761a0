/** From a sign-in button to the provider. */
import { authorizationUrl, connect, newChecks, OidcFailure } from '../../../gateways/oidc/client.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { ActiveConnection } from '../../../models/identity/sso/connections.js';
import { beginFlow, type NewFlow } from '../../../models/identity/sso/flows.js';
import { openOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { oidcProviderOf, redirectUriOf } from './oidcProvider.js';

export type Beginning = Pick<NewFlow, 'platform' | 'codeChallenge' | 'reauthenticate'>;

/** @returns where the browser goes, and what it keeps to be recognized by. @throws SignInRefused */
export async function beginOAuth(connection: ActiveConnection, beginning: Beginning) {
  const refused = { connectionId: connection.id, platform: beginning.platform };
  const stored = await inTenant(connection.organization_id, () => openOAuthConfiguration(connection.id), {
    readOnly: true,
  });
  if (!stored) throw new SignInRefused('connection_inactive', refused);
  const checks = newChecks(beginning.reauthenticate);
  const secrets = { checks: JSON.stringify(checks) };
  const { flowId, browserToken } = await beginFlow({ ...beginning, connection, secrets });
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
