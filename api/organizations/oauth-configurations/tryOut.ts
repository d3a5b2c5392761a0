/** A dry run: what the provider answers now, and how its claims would be read. Signs nobody in, stores nothing. */
import { type Claims, readClaims } from '../../../gateways/oidc/claims.js';
import { authorizationUrl, connect, newChecks, OidcFailure, publishedKeys } from '../../../gateways/oidc/client.js';
import { tryClientSecret } from '../../../gateways/oidc/clientSecret.js';
import type { OidcProvider } from '../../../gateways/oidc/provider.js';
import { domainOf } from '../../../models/identity/sso/connections.js';
import type { ShownOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { isKeepable } from '../../../models/identity/sso/provenIdentity.js';
import { redirectUriOf } from '../../identity/sso/oidcProvider.js';

type Tried = Pick<ShownOAuthConfiguration, 'slug' | 'domains'>;

/** Outside of any transaction: it waits for another server. */
export async function tryOut(settings: OidcProvider, { slug, domains }: Tried, claims: Claims | undefined) {
  return { ...(await askProvider(settings, slug)), ...readTried(settings, domains, claims) };
}

async function askProvider(settings: OidcProvider, slug: string) {
  try {
    const client = await connect(settings);
    // As a sign-in would begin; nobody is sent there.
    const beginning = {
      redirectUri: redirectUriOf(slug),
      scopes: settings.scopes,
      state: '',
      checks: newChecks(false),
    };
    await authorizationUrl(client, beginning);
    const found = client.serverMetadata();
    return {
      reachable: true,
      failure: null,
      issuer: found.issuer,
      authorization_url: found.authorization_endpoint ?? null,
      token_url: found.token_endpoint ?? null,
      jwks_uri: found.jwks_uri ?? null,
      keys: (await publishedKeys(client, settings)).keys.length,
      client_secret: await tryClientSecret(settings, redirectUriOf(slug)),
    };
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    const nothing = {
      issuer: null,
      authorization_url: null,
      token_url: null,
      jwks_uri: null,
      keys: null,
      client_secret: null,
    };
    return { reachable: false, failure: error.reason, ...nothing };
  }
}

function readTried(settings: OidcProvider, domains: string[], claims: Claims | undefined) {
  if (claims === undefined) return { attributes: null, problems: [] };
  const said = readClaims(settings, claims);
  const { subject, email, emailVerified, firstName, lastName } = said;
  const problems = [
    subject === '' ? ['subject_missing'] : [],
    subject !== '' && !isKeepable(said) ? ['unusable_text'] : [],
    email === null ? ['email_missing'] : [],
    email !== null && !domains.includes(domainOf(email)) ? ['email_domain_not_allowed'] : [],
    emailVerified ? [] : ['email_unverified'],
  ].flat();
  const attributes = { subject, email, email_verified: emailVerified, first_name: firstName, last_name: lastName };
  return { attributes, problems };
}
