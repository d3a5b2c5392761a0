import type { ShownOAuthConfiguration } from '../../../models/identity/sso/oauthConfigurations.js';
import { backchannelLogoutUriOf, loginUrlOf, redirectUriOf } from '../../identity/sso/oidcProvider.js';

export const presentConfiguration = ({ domains, ...configuration }: ShownOAuthConfiguration) => ({
  ...configuration,
  allowed_domains: domains,
  redirect_uri: redirectUriOf(configuration.slug),
  backchannel_logout_uri: backchannelLogoutUriOf(configuration.slug),
  login_url: loginUrlOf({ kind: 'oauth', slug: configuration.slug }),
});
