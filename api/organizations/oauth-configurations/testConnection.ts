/**
 * Dry run of a connection: reads the provider's metadata, and shows how claims would be mapped. It signs no one in and
 * stores nothing.
 */
import { type Claims, readClaims } from '../../../gateways/oidc/claims.js';
import { authorizationUrl, connect, newChecks, OidcFailure, publishedKeys } from '../../../gateways/oidc/client.js';
import { tryClientSecret } from '../../../gateways/oidc/clientSecret.js';
import type { OidcProvider } from '../../../gateways/oidc/provider.js';
import { domainOf } from '../../../models/identity/sso/connections.js';
import type { ShownOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { isStorable } from '../../../models/identity/sso/provenIdentity.js';
import { redirectUriOf } from '../../identity/sso/oidcProvider.js';

type TestedConfiguration = Pick<ShownOAuthConfiguration, 'slug' | 'domains'>;

/** Tests a connection. Call it outside of any transaction, because it waits for another server. */
export async function testConnection(
  settings: OidcProvider,
  { slug, domains }: TestedConfiguration,
  claims: Claims | undefined,
) {
  return { ...(await readProvider(settings, slug)), ...readTestClaims(settings, domains, claims) };
}

async function readProvider(settings: OidcProvider, slug: string) {
  try {
    const client = await connect(settings);
    // Build an authorization request as a sign-in would; no browser is sent there.
    const authorizationRequest = {
      redirectUri: redirectUriOf(slug),
      scopes: settings.scopes,
      state: '',
      checks: newChecks(false),
    };
    await authorizationUrl(client, authorizationRequest);
    const metadata = client.serverMetadata();
    return {
      reachable: true,
      failure: null,
      issuer: metadata.issuer,
      authorization_url: metadata.authorization_endpoint ?? null,
      token_url: metadata.token_endpoint ?? null,
      jwks_uri: metadata.jwks_uri ?? null,
      keys: (await publishedKeys(client, settings)).keys.length,
      client_secret: await tryClientSecret(settings, redirectUriOf(slug)),
    };
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    const empty = {
      issuer: null,
      authorization_url: null,
      token_url: null,
      jwks_uri: null,
      keys: null,
      client_secret: null,
    };
    return { reachable: false, failure: error.reason, ...empty };
  }
}

function readTestClaims(settings: OidcProvider, domains: string[], claims: Claims | undefined) {
  if (claims === undefined) return { attributes: null, problems: [] };
  const identity = readClaims(settings, claims);
  const { subject, email, emailVerified, firstName, lastName } = identity;
  const problems = [
    subject === '' ? ['subject_missing'] : [],
    subject !== '' && !isStorable(identity) ? ['unusable_text'] : [],
    email === null ? ['email_missing'] : [],
    email !== null && !domains.includes(domainOf(email)) ? ['email_domain_not_allowed'] : [],
    emailVerified ? [] : ['email_unverified'],
  ].flat();
  const attributes = { subject, email, email_verified: emailVerified, first_name: firstName, last_name: lastName };
  return { attributes, problems };
}
