import type { Actor } from '../../../models/identity/Actor.js';
import { removeConnection } from '../../../models/identity/sso/connectionRows.js';
import {
  changeOAuthConfiguration,
  createOAuthConfiguration,
  listOAuthConfigurations,
  openOAuthConfiguration,
  readOAuthConfiguration,
} from '../../../models/identity/sso/oauthConfigurations.js';
import { found, refuse } from '../../../models/errors.js';
import { oidcProviderOf } from '../../identity/sso/oidcProvider.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, del, get, patch, post, routes } from '../../http/routes.js';
import { OrganizationParams } from '../fields.js';
import { oauthConfigurationPolicy } from './policy.js';
import { presentConfiguration } from './present.js';
import {
  ConfigurationParams,
  ConfigurationQuery,
  OAuthConfigurationCreate,
  OAuthConfigurationEdit,
  OAuthConfigurationJson,
  OAuthTestBody,
  OAuthTestJson,
} from './schema.js';
import { tryOut } from './tryOut.js';

const common = { access: 'tenant', tags: ['sso'] } as const;
const row = { ...common, params: ConfigurationParams };

function admit(actor: Actor, organizationId: string, action: 'read' | 'write' | 'test'): void {
  organizationInPath(actor, organizationId);
  authorize(actor, oauthConfigurationPolicy, action);
}

export const oauthConfigurationRoutes = routes('/api/organizations/:id/oauth-configurations', [
  get(
    '/',
    {
      ...common,
      summary: 'OAuth identity providers of an organization',
      rule: by(oauthConfigurationPolicy, 'read'),
      params: OrganizationParams,
      query: ConfigurationQuery,
      response: pageOf(OAuthConfigurationJson),
    },
    async ({ actor, params, query, request }) => {
      admit(actor, params.id, 'read');
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
    async ({ actor, params, body }) => {
      admit(actor, params.id, 'write');
      const { allowed_domains: domains, ...given } = body;
      return presentConfiguration(await createOAuthConfiguration({ ...given, domains }));
    },
  ),

  get(
    '/:config_id/',
    {
      ...row,
      summary: 'An OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'read'),
      response: OAuthConfigurationJson,
    },
    async ({ actor, params }) => {
      admit(actor, params.id, 'read');
      return presentConfiguration(await readOAuthConfiguration(params.config_id));
    },
  ),

  patch(
    '/:config_id/',
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
      admit(actor, params.id, 'write');
      const { allowed_domains: domains, ...given } = body;
      return presentConfiguration(await changeOAuthConfiguration(params.config_id, { ...given, domains }));
    },
  ),

  del(
    '/:config_id/',
    {
      ...row,
      summary: 'Remove an OAuth identity provider',
      rule: by(oauthConfigurationPolicy, 'write'),
      stepUp: 'tenant',
    },
    async ({ actor, params }) => {
      admit(actor, params.id, 'write');
      await removeConnection('oauth', params.config_id);
    },
  ),

  post(
    '/:config_id/test/',
    {
      ...row,
      summary: 'Try an OAuth identity provider out',
      rule: by(oauthConfigurationPolicy, 'test'),
      description: 'Asks the provider for its addresses and keys and, given claims, shows how they would be read.',
      body: OAuthTestBody,
      response: OAuthTestJson,
    },
    async ({ actor, params, body }) => {
      admit(actor, params.id, 'test');
      const stored = found(await openOAuthConfiguration(params.config_id));
      const configuration = await readOAuthConfiguration(params.config_id);
      return new AfterCommit(() => tryOut({ ...oidcProviderOf(stored), revision: null }, configuration, body.claims));
    },
  ),
]);
