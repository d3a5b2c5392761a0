import { removeConnection } from '../../../models/identity/sso/connectionRows.js';
import {
  changeOAuthConfiguration,
  createOAuthConfiguration,
  decryptOAuthConfiguration,
  listOAuthConfigurations,
  readOAuthConfiguration,
  type ShownOAuthConfiguration,
} from '../../../models/identity/sso/oauthConfigurations.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { backchannelLogoutUriOf, loginUrlOf, oidcProviderOf, redirectUriOf } from '../../identity/sso/oidcProvider.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { AfterCommit, del, get, patch, post, routes } from '../../http/routes.js';
import {
  ConfigurationQuery,
  OAuthConfigurationCreate,
  OAuthConfigurationEdit,
  OAuthConfigurationJson,
  OAuthTestBody,
  OAuthTestJson,
} from './schema.js';
import { testConnection } from './testConnection.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';

const oauthConfigurationPolicy = policy('OAuth configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});

const common = { access: 'tenant', tags: ['sso'] } as const;
const row = { ...common, params: OrganizationRowParams };

const presentConfiguration = ({ domains, ...configuration }: ShownOAuthConfiguration) => ({
  ...configuration,
  allowed_domains: domains,
  redirect_uri: redirectUriOf(configuration.slug),
  backchannel_logout_uri: backchannelLogoutUriOf(configuration.slug),
  login_url: loginUrlOf({ kind: 'oauth', slug: configuration.slug }),
});

export const oauthConfigurationRoutes = routes('/api/organizations/:organization_id/oauth-configurations', [
  get(
    '/',
    {
      ...common,
      summary: 'List OAuth identity providers',
      rule: by(oauthConfigurationPolicy, 'read'),
      params: OrganizationParams,
      query: ConfigurationQuery,
      response: pageOf(OAuthConfigurationJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, oauthConfigurationPolicy, 'read');
      return presentPage(await listOAuthConfigurations(pageRequest(query)), query, request, presentConfiguration);
    },
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Connect an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'write'),
      params: OrganizationParams,
      body: OAuthConfigurationCreate,
      response: OAuthConfigurationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [refuse.duplicate],
    },
    async ({ actor, body }) => {
      authorize(actor, oauthConfigurationPolicy, 'write');
      const { allowed_domains: domains, ...given } = body;
      return presentConfiguration(await createOAuthConfiguration({ ...given, domains }));
    },
  ),

  get(
    '/:id/',
    {
      ...row,
      summary: 'Get an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'read'),
      response: OAuthConfigurationJson,
    },
    async ({ actor, params }) => {
      authorize(actor, oauthConfigurationPolicy, 'read');
      return presentConfiguration(await readOAuthConfiguration(params.id));
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'write'),
      body: OAuthConfigurationEdit,
      response: OAuthConfigurationJson,
      stepUp: 'tenant',
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      authorize(actor, oauthConfigurationPolicy, 'write');
      const { allowed_domains: domains, ...given } = body;
      return presentConfiguration(await changeOAuthConfiguration(params.id, { ...given, domains }));
    },
  ),

  del(
    '/:id/',
    {
      ...row,
      summary: 'Remove an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'write'),
      stepUp: 'tenant',
    },
    async ({ actor, params }) => {
      authorize(actor, oauthConfigurationPolicy, 'write');
      await removeConnection('oauth', params.id);
    },
  ),

  post(
    '/:id/test/',
    {
      ...row,
      summary: 'Test an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'test'),
      description: 'Reads the URLs and keys of the provider. If claims are given, shows how they would be mapped.',
      body: OAuthTestBody,
      response: OAuthTestJson,
    },
    async ({ actor, params, body }) => {
      authorize(actor, oauthConfigurationPolicy, 'test');
      const stored = requireFound(await decryptOAuthConfiguration(params.id));
      const configuration = await readOAuthConfiguration(params.id);
      return new AfterCommit(() =>
        testConnection({ ...oidcProviderOf(stored), revision: null }, configuration, body.claims),
      );
    },
  ),
]);
