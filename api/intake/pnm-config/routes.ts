import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { ApplicationConfig } from '../../../models/intake/pnm-config/ApplicationConfig.js';
import { readApplicationConfig, replaceApplicationConfig } from '../../../models/intake/pnm-config/config.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, chapterManagers, nationalAdmin, policy } from '../../http/policy.js';
import { get, put, routes } from '../../http/routes.js';

const applicationConfigPolicy = policy('application form', {
  read: chapterManagers,
  configure: [nationalAdmin],
});

const ApplicationConfigJson = rowJson(ApplicationConfig);

const ApplicationConfigPut = z
  .strictObject({
    ...editBody(ApplicationConfig).shape,
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description: 'The version that you have seen, 0 for the built-in form. If it has changed, the answer is 409.',
      example: 0,
    }),
  })
  .meta({ id: 'ApplicationConfigPut' });

const tenant = { access: 'tenant', tags: ['intake'], params: OrganizationParams } as const;

export const applicationConfigRoutes = routes('/api/organizations/:organization_id/pnm-config', [
  get(
    '/',
    {
      ...tenant,
      summary: 'The application form',
      description: 'Version 0 is the built-in form.',
      operationId: 'getApplicationConfig',
      rule: by(applicationConfigPolicy, 'read'),
      response: ApplicationConfigJson,
    },
    async ({ actor }) => {
      authorize(actor, applicationConfigPolicy, 'read');
      return readApplicationConfig();
    },
  ),

  put(
    '/',
    {
      ...tenant,
      summary: 'Replace the application form',
      description:
        'Omitted settings become the built-in ones. A question that was asked keeps its key and type; an archived question is no longer asked.',
      operationId: 'replaceApplicationConfig',
      rule: by(applicationConfigPolicy, 'configure'),
      body: ApplicationConfigPut,
      response: ApplicationConfigJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, applicationConfigPolicy, 'configure');
      return replaceApplicationConfig(body);
    },
  ),
]);
