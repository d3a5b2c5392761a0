import type { OidcProvider } from '../../../gateways/oidc/provider.js';
import { config } from '../../../config.js';
import type { DecryptedConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';

/** Converts a stored configuration to the form that the gateway uses. */
export const oidcProviderOf = (stored: DecryptedConfiguration): OidcProvider => ({
  provider: stored.provider,
  revision: stored.revision,
  clientId: stored.client_id,
  clientSecret: stored.client_secret,
  scopes: stored.scopes,
  directoryId: stored.directory_id,
  trustedDomains: stored.trust_directory_addresses ? stored.verified_domains : [],
  issuer: stored.issuer,
  authorizationUrl: stored.authorization_url,
  tokenUrl: stored.token_url,
  userinfoUrl: stored.userinfo_url,
  jwksUri: stored.jwks_uri,
});

const base = (slug: string): string => `${config.backendUrl}/api/auth/sso/oauth/${slug}`;
export const redirectUriOf = (slug: string): string => `${base(slug)}/callback/`;

/** Address at which a provider reports that it ended a session. */
export const backchannelLogoutUriOf = (slug: string): string => `${base(slug)}/backchannel-logout/`;

/** Address of a sign-in button. */
export const loginUrlOf = ({ kind, slug }: { kind: 'saml' | 'oauth'; slug: string }): string =>
  kind === 'oauth' ? `${base(slug)}/login/` : `${config.backendUrl}/api/auth/sso/saml/${slug}/login/`;
