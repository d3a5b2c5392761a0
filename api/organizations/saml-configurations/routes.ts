import { makeKeyPair } from '../../../gateways/saml/certificate.js';
import { databaseNow } from '../../../models/database/clock.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { removeConnection } from '../../../models/identity/sso/connectionRows.js';
import {
  changeSamlConfiguration,
  createSamlConfiguration,
  listSamlConfigurations,
  type NewSamlConfiguration,
  readSamlConfiguration,
} from '../../../models/identity/sso/saml/samlConfigurations.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize } from '../../http/policy.js';
import { AfterCommit, del, get, patch, post, type RequestFacts, routes } from '../../http/routes.js';
import { OrganizationParams } from '../fields.js';
import { importedFacts } from './importMetadata.js';
import { samlConfigurationPolicy } from './policy.js';
import { presentConfiguration } from './present.js';
import {
  ConfigurationParams,
  ConfigurationQuery,
  SamlConfigurationCreate,
  SamlConfigurationEdit,
  SamlConfigurationImport,
  SamlConfigurationJson,
  SamlTestBody,
  SamlTestJson,
} from './schema.js';
import { tryOut } from './tryOut.js';

const common = { access: 'tenant', tags: ['sso'] } as const;
const row = { ...common, params: ConfigurationParams };

function admit(actor: Actor, organizationId: string, action: 'read' | 'write' | 'test'): void {
  organizationInPath(actor, organizationId);
  authorize(actor, samlConfigurationPolicy, action);
}

/** Our key pair takes a moment to make: no transaction waits for it. */
const create = (actor: Actor, fields: NewSamlConfiguration, { id: requestId, ipAddress }: RequestFacts) =>
  new AfterCommit(async () => {
    const keyPair = await makeKeyPair(fields.slug, databaseNow());
    const made = await inTenant(actor.organizationId, () => createSamlConfiguration(fields, keyPair), {
      origin: { userId: actor.userId, requestId, ipAddress },
    });
    return presentConfiguration(made);
  });

export const samlConfigurationRoutes = routes('/api/organizations/:id/saml-configurations', [
  get(
    '/',
    {
      ...common,
      summary: 'SAML identity providers of an organization',
      params: OrganizationParams,
      query: ConfigurationQuery,
      response: pageOf(SamlConfigurationJson),
    },
    async ({ actor, params, query, request }) => {
      admit(actor, params.id, 'read');
      return presentPage(await listSamlConfigurations(pageRequest(query)), query, request, presentConfiguration);
    },
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Connect a SAML identity provider',
      params: OrganizationParams,
      body: SamlConfigurationCreate,
      response: SamlConfigurationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [refuse.duplicate],
    },
    async ({ actor, params, body, request }) => {
      admit(actor, params.id, 'write');
      return create(actor, body, request);
    },
  ),

  post(
    '/import/',
    {
      ...common,
      summary: 'Connect a SAML identity provider by its metadata',
      params: OrganizationParams,
      body: SamlConfigurationImport,
      response: SamlConfigurationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [refuse.duplicate],
    },
    async ({ actor, params, body: { metadata, ...given }, request }) => {
      admit(actor, params.id, 'write');
      return create(actor, { ...given, ...importedFacts(metadata) }, request);
    },
  ),

  get(
    '/:config_id/',
    { ...row, summary: 'A SAML identity provider', response: SamlConfigurationJson },
    async ({ actor, params }) => {
      admit(actor, params.id, 'read');
      return presentConfiguration(await readSamlConfiguration(params.config_id));
    },
  ),

  patch(
    '/:config_id/',
    {
      ...row,
      summary: 'Change a SAML identity provider',
      body: SamlConfigurationEdit,
      response: SamlConfigurationJson,
      stepUp: 'tenant',
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      admit(actor, params.id, 'write');
      return presentConfiguration(await changeSamlConfiguration(params.config_id, body));
    },
  ),

  del(
    '/:config_id/',
    { ...row, summary: 'Remove a SAML identity provider', stepUp: 'tenant' },
    async ({ actor, params }) => {
      admit(actor, params.id, 'write');
      await removeConnection('saml', params.config_id);
    },
  ),

  post(
    '/:config_id/test/',
    {
      ...row,
      summary: 'Try a response of the identity provider out',
      description: 'Shows what a response says, once everything that the ACS checks is right, or why it is refused.',
      body: SamlTestBody,
      response: SamlTestJson,
    },
    async ({ actor, params, body }) => {
      admit(actor, params.id, 'test');
      return tryOut(await readSamlConfiguration(params.config_id), body.saml_response);
    },
  ),
]);
