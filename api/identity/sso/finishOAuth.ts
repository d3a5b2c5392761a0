/** Finishes a sign-in by OAuth: from the provider's response to our one-time code. */
import { type OidcChecks, OidcFailure, redeem } from '../../../gateways/oidc/client.js';
import type { Origin } from '../../../models/database/connection.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { findConnection, type ActiveConnection } from '../../../models/identity/sso/connections.js';
import { type Flow, consumeFlow } from '../../../models/identity/sso/flows.js';
import { decryptOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { completeSignIn } from '../../../models/identity/sso/signIn.js';
import { SignInRefused } from '../../../models/identity/sso/signInRefused.js';
import { oidcProviderOf, redirectUriOf } from './oidcProvider.js';

/** A provider's response as the browser delivers it. */
export interface OAuthAnswer {
  slug: string;
  /** The query as received. */
  search: URLSearchParams;
  origin: Origin;
}

/**
 * Finishes a sign-in. Uses up the flow first, then checks everything.
 * @returns the redirect target, which contains nothing of the query
 * @throws SignInRefused
 */
export async function finishOAuth({ slug, search, origin }: OAuthAnswer): Promise<string> {
  const states = search.getAll('state');
  const state = states.length === 1 ? (states[0] as string) : '';
  const flow = await consumeFlow({ flowId: state });
  const connection = await inPlatform(() => findConnection('oauth', slug), { readOnly: true });
  if (!flow) throw new SignInRefused('flow_expired', { connectionId: connection?.id });
  if (!connection) throw new SignInRefused('connection_inactive', flow);
  // One provider's response was delivered to the address of another (mix-up attack, RFC 9207).
  if (connection.id !== flow.connectionId) throw new SignInRefused('response_invalid', { ...flow, detail: 'mix_up' });
  try {
    return await completeSignIn(flow, await redeemAnswer(connection, flow, state, search), origin);
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    throw new SignInRefused(error.reason, { ...flow, detail: error.code });
  }
}

async function redeemAnswer(connection: ActiveConnection, flow: Flow, state: string, search: URLSearchParams) {
  const stored = await inTenant(connection.organization_id, () => decryptOAuthConfiguration(connection.id), {
    readOnly: true,
  });
  if (!stored) throw new OidcFailure('response_invalid', 'no_configuration');
  const callback = new URL(redirectUriOf(connection.slug));
  callback.search = search.toString();
  const checks = JSON.parse(flow.secrets['checks'] as string) as OidcChecks;
  return { ...(await redeem(oidcProviderOf(stored), callback, state, checks)), providerName: null };
}
