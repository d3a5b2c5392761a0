/** The settings of an organization's OpenID provider, and the endpoints of the two providers that are built in. */

export interface OidcProvider {
  provider: 'workspace' | 'cloud_office' | 'generic';
  /**
   * A value that changes with every change of the settings. It is part of the cache key of the provider's documents;
   * null: nothing is cached.
   */
  revision: string | null;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** Id of the directory (tenant) of a cloud_office provider. */
  directoryId: string | null;
  /** Email domains that are trusted without the claim `xms_edov`, for a cloud_office provider. */
  trustedDomains: readonly string[];
  /** The issuer of a generic provider, exactly as in its ID tokens. */
  issuer: string | null;
  /** Endpoints of a generic provider. They are set together, or null if they are discovered from the issuer. */
  authorizationUrl: string | null;
  tokenUrl: string | null;
  userinfoUrl: string | null;
  jwksUri: string | null;
}

/** Endpoints of a provider, named as in RFC 8414. */
export interface Endpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint?: string;
  jwks_uri: string;
  id_token_signing_alg_values_supported: string[];
}

/**
 * Signature algorithms that are accepted if an administrator entered the endpoints by hand: there is no discovery
 * document that lists the provider's algorithms.
 */
const MANUAL_ALGORITHMS = ['RS256', 'PS256', 'ES256'];

const WORKSPACE: Endpoints = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  id_token_signing_alg_values_supported: ['RS256'],
};

/**
 * Returns the endpoints of one directory. The provider also has common endpoints for all directories; we do not use
 * them, because they accept accounts of any directory.
 */
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

/** Returns the endpoints that are known without a request; null if they must be discovered. */
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
    id_token_signing_alg_values_supported: MANUAL_ALGORITHMS,
  };
}
