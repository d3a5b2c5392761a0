/** From the provider's answer to a one-time code. */
import { type OidcChecks, OidcFailure, redeem } from '../../../gateways/oidc/client.js';
import type { Origin } from '../../../models/database/connection.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { findConnection, type ActiveConnection } from '../../../models/identity/sso/connections.js';
import { type Flow, takeFlow } from '../../../models/identity/sso/flows.js';
import { openOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { completeSignIn } from '../../../models/identity/sso/signIn.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { oidcProviderOf, redirectUriOf } from './oidcProvider.js';

/** An answer as the browser brought it. */
export interface OAuthAnswer {
  slug: string;
  /** The query, as it came. */
  search: URLSearchParams;
  origin: Origin;
}

/**
 * The flow is used up first, then everything is checked.
 * @returns where the browser goes; nothing of the query is in it. @throws SignInRefused
 */
export async function finishOAuth({ slug, search, origin }: OAuthAnswer): Promise<string> {
  const states = search.getAll('state');
  const state = states.length === 1 ? (states[0] as string) : '';
  const flow = await takeFlow({ flowId: state });
  const connection = await inPlatform(() => findConnection('oauth', slug), { readOnly: true });
  if (!flow) throw new SignInRefused('flow_expired', { connectionId: connection?.id });
  if (!connection) throw new SignInRefused('connection_inactive', flow);
  // An answer that one provider was led to give at the address of another (RFC 9207).
  if (connection.id !== flow.connectionId) throw new SignInRefused('response_invalid', { ...flow, detail: 'mix_up' });
  try {
    return await completeSignIn(flow, await proofOf(connection, flow, state, search), origin);
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    throw new SignInRefused(error.reason, { ...flow, detail: error.code });
  }
}

async function proofOf(connection: ActiveConnection, flow: Flow, state: string, search: URLSearchParams) {
  const stored = await inTenant(connection.organization_id, () => openOAuthConfiguration(connection.id), {
    readOnly: true,
  });
  if (!stored) throw new OidcFailure('response_invalid', 'no_configuration');
  const callback = new URL(redirectUriOf(connection.slug));
  callback.search = search.toString();
  const checks = JSON.parse(flow.secrets['checks'] as string) as OidcChecks;
  return { ...(await redeem(oidcProviderOf(stored), callback, state, checks)), providerName: null };
}
