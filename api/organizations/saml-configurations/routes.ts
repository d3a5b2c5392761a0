import { makeKeyPair } from '../../../gateways/saml/certificate.js';
import { databaseNow } from '../../../models/database/clock.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { removeConnection } from '../../../models/identity/sso/connectionRows.js';
import { changeEncryptionKey } from '../../../models/identity/sso/saml/encryptionKeys.js';
import {
  changeSamlConfiguration,
  createSamlConfiguration,
  listSamlConfigurations,
  type NewSamlConfiguration,
  readSamlConfiguration,
} from '../../../models/identity/sso/saml/samlConfigurations.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { AfterCommit, del, get, patch, post, type RequestFacts, routes } from '../../http/routes.js';
import { importedFacts, publishedFacts } from './importMetadata.js';
import { refreshNow } from './refreshNow.js';
import { presentConfiguration } from './present.js';
import {
  ConfigurationQuery,
  EncryptionKeyBody,
  SamlConfigurationCreate,
  SamlConfigurationEdit,
  SamlConfigurationImport,
  SamlConfigurationJson,
  SamlTestBody,
  SamlTestJson,
} from './schema.js';
import { testResponse } from './testResponse.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { originOf } from '../../http/origin.js';

const samlConfigurationPolicy = policy('SAML configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});

const common = { access: 'tenant', tags: ['sso'] } as const;
const row = { ...common, params: OrganizationRowParams };

/**
 * Creates a connection after the commit: generating a key pair takes a moment and a metadata URL may take seconds to
 * answer, so no transaction waits for them.
 */
const create = (
  actor: Actor,
  fieldsOf: () => Promise<NewSamlConfiguration>,
  request: RequestFacts,
  { wasRead: isFromUrl = false } = {},
) =>
  new AfterCommit(async () => {
    const fields = await fieldsOf();
    const keyPair = await makeKeyPair(fields.slug, databaseNow());
    const origin = originOf(request, actor);
    const configuration = await inTenant(
      actor.organizationId,
      () => createSamlConfiguration(fields, keyPair, isFromUrl),
      {
        origin,
      },
    );
    return presentConfiguration(configuration);
  });

export const samlConfigurationRoutes = routes('/api/organizations/:organization_id/saml-configurations', [
  get(
    '/',
    {
      ...common,
      summary: 'List SAML identity providers',
      rule: by(samlConfigurationPolicy, 'read'),
      params: OrganizationParams,
      query: ConfigurationQuery,
      response: pageOf(SamlConfigurationJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, samlConfigurationPolicy, 'read');
      return presentPage(await listSamlConfigurations(pageRequest(query)), query, request, presentConfiguration);
    },
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Connect a SAML identity provider',
      rule: by(samlConfigurationPolicy, 'write'),
      params: OrganizationParams,
      body: SamlConfigurationCreate,
      response: SamlConfigurationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [refuse.duplicate],
    },
    async ({ actor, body, request }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      return create(actor, async () => body, request);
    },
  ),

  post(
    '/import/',
    {
      ...common,
      summary: 'Connect a SAML identity provider with its metadata',
      rule: by(samlConfigurationPolicy, 'write'),
      params: OrganizationParams,
      body: SamlConfigurationImport,
      response: SamlConfigurationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [refuse.duplicate],
    },
    async ({ actor, body: { metadata, ...given }, request }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      const pasted = metadata === undefined ? undefined : await importedFacts(metadata);
      const facts = async () => pasted ?? publishedFacts(given.metadata_url as string);
      const wasRead = pasted === undefined;
      return create(actor, async () => ({ ...given, ...(await facts()) }), request, { wasRead });
    },
  ),

  get(
    '/:id/',
    {
      ...row,
      summary: 'Get a SAML identity provider',
      rule: by(samlConfigurationPolicy, 'read'),
      response: SamlConfigurationJson,
    },
    async ({ actor, params }) => {
      authorize(actor, samlConfigurationPolicy, 'read');
      return presentConfiguration(await readSamlConfiguration(params.id));
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change a SAML identity provider',
      rule: by(samlConfigurationPolicy, 'write'),
      body: SamlConfigurationEdit,
      response: SamlConfigurationJson,
      stepUp: 'tenant',
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      return presentConfiguration(await changeSamlConfiguration(params.id, body));
    },
  ),

  post(
    '/:id/refresh/',
    {
      ...row,
      summary: 'Refresh the certificates from the metadata URL now',
      rule: by(samlConfigurationPolicy, 'write'),
      description: 'Performs the daily refresh immediately. If it fails, `last_refresh_error` shows the reason.',
      response: SamlConfigurationJson,
      status: 200,
      stepUp: 'tenant',
    },
    async ({ actor, params, request }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      const { metadata_url: url } = await readSamlConfiguration(params.id);
      if (url === null)
        throw invalid(
          'metadata_url',
          'The metadata cannot be refreshed, because this connection has no metadata URL. Save one first.',
        );
      const origin = originOf(request, actor);
      return new AfterCommit(async () => presentConfiguration(await refreshNow(params.id, url, actor, origin)));
    },
  ),

  post(
    '/:id/encryption-key/',
    {
      ...row,
      operationId: 'replaceSamlEncryptionKey',
      summary: 'Create a new key for encrypted assertions',
      rule: by(samlConfigurationPolicy, 'write'),
      description:
        'The key is published in our metadata. The first key enables encryption: providers may encrypt assertions once they have read it. ' +
        'Unencrypted assertions are still accepted.',
      body: EncryptionKeyBody,
      response: SamlConfigurationJson,
      stepUp: 'tenant',
    },
    async ({ actor, params, body, request }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      const { slug } = await readSamlConfiguration(params.id);
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const keyPair = await makeKeyPair(slug, databaseNow());
        const change = async () => {
          await changeEncryptionKey(params.id, keyPair, body.overlap_days);
          return readSamlConfiguration(params.id);
        };
        return presentConfiguration(await inTenant(actor.organizationId, change, { origin }));
      });
    },
  ),

  del(
    '/:id/',
    {
      ...row,
      summary: 'Remove a SAML identity provider',
      rule: by(samlConfigurationPolicy, 'write'),
      stepUp: 'tenant',
    },
    async ({ actor, params }) => {
      authorize(actor, samlConfigurationPolicy, 'write');
      await removeConnection('saml', params.id);
    },
  ),

  post(
    '/:id/test/',
    {
      ...row,
      summary: 'Test a response of the identity provider',
      rule: by(samlConfigurationPolicy, 'test'),
      description: 'Shows the contents of a response if it passes all checks of the ACS, or why it is refused.',
      body: SamlTestBody,
      response: SamlTestJson,
    },
    async ({ actor, params, body }) => {
      authorize(actor, samlConfigurationPolicy, 'test');
      return testResponse(await readSamlConfiguration(params.id), body.saml_response);
    },
  ),
]);
