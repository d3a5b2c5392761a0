/** An organization's OpenID provider, in our words, and what is known of the two presets. */

export interface OidcProvider {
  provider: 'workspace' | 'cloud_office' | 'generic';
  /** Changes with the settings: what the provider published is kept for these alone. null: nothing is kept. */
  revision: string | null;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** cloud_office: the directory (tenant) id. */
  directoryId: string | null;
  /** cloud_office: of whose addresses the directory is believed without `xms_edov`. */
  trustedDomains: readonly string[];
  /** generic: exactly as the provider's ID tokens say it. */
  issuer: string | null;
  /** generic: given together, or found by discovery of the issuer. */
  authorizationUrl: string | null;
  tokenUrl: string | null;
  userinfoUrl: string | null;
  jwksUri: string | null;
}

/** Names of RFC 8414. */
export interface Endpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint?: string;
  jwks_uri: string;
  id_token_signing_alg_values_supported: string[];
}

/** What typed-in addresses may sign with: nobody says which. */
const TYPED_IN_ALGORITHMS = ['RS256', 'PS256', 'ES256'];

const WORKSPACE: Endpoints = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  id_token_signing_alg_values_supported: ['RS256'],
};

/** Of one directory: the endpoints for all directories would let any of them in. */
function cloudOffice(directoryId: string): Endpoints {
  const base = `https://login.microsoftonline.com/${directoryId}`;
  return {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
    jwks_uri: `${base}/discovery/v2.0/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

/** @returns null when they are to be discovered */
export function knownEndpoints(settings: OidcProvider): Endpoints | null {
  if (settings.provider === 'workspace') return WORKSPACE;
  if (settings.provider === 'cloud_office') return cloudOffice(settings.directoryId ?? '');
  const { issuer, authorizationUrl, tokenUrl, userinfoUrl, jwksUri } = settings;
  if (!issuer || !authorizationUrl || !tokenUrl || !jwksUri) return null;
  return {
    issuer,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
    ...(userinfoUrl ? { userinfo_endpoint: userinfoUrl } : {}),
    jwks_uri: jwksUri,
    id_token_signing_alg_values_supported: TYPED_IN_ALGORITHMS,
  };
}
