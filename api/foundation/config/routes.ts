import { refuse } from '../../../models/errors.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { changeConfig } from '../../../models/foundation/config/changeConfig.js';
import { createConfig } from '../../../models/foundation/config/createConfig.js';
import { FoundationConfig } from '../../../models/foundation/config/FoundationConfig.js';
import { readConfig } from '../../../models/foundation/config/readConfig.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { authorize, by, foundationAdmin, nationalAdmin, policy } from '../../http/policy.js';
import { get, patch, post, put, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';
import { ConfigCreate, ConfigEdit, ConfigJson, ConfigReplace, firstAdminOf } from './schema.js';

const configPolicy = policy('foundation settings', {
  read: [nationalAdmin, foundationAdmin],
  create: [nationalAdmin],
  change: [foundationAdmin],
});

const { foundation_not_configured, currency_in_use, foundation_incomplete, not_in_organization } = foundationErrors;
const shared = { ...foundation, response: ConfigJson };
const changes = {
  ...shared,
  rule: by(configPolicy, 'change'),
  errors: [foundation_not_configured, refuse.stale_version, currency_in_use, foundation_incomplete],
};

export const foundationConfigRoutes = routes('/api/foundation/config', [
  get(
    '/',
    {
      ...shared,
      summary: 'Get the settings of the foundation',
      rule: by(configPolicy, 'read'),
      errors: [foundation_not_configured],
    },
    async ({ actor }) => {
      authorize(actor, configPolicy, 'read');
      return readConfig();
    },
  ),

  post(
    '/',
    {
      ...shared,
      operationId: 'createFoundationConfig',
      summary: 'Create the foundation of the organization',
      description:
        'An organization has at most one foundation. An organization admin who creates it becomes its first admin; ' +
        'a platform admin names the first admin.',
      rule: by(configPolicy, 'create'),
      body: ConfigCreate,
      status: 201,
      errors: [refuse.duplicate, not_in_organization],
    },
    async ({ actor, body }) => {
      authorize(actor, configPolicy, 'create');
      const { first_admin: firstAdmin, ...settings } = body;
      return createConfig(settings, firstAdminOf(actor, firstAdmin));
    },
  ),

  put(
    '/',
    {
      ...changes,
      summary: 'Replace the settings of the foundation',
      description: 'Fields that are left out get their defaults.',
      body: ConfigReplace,
    },
    async ({ actor, body }) => {
      authorize(actor, configPolicy, 'change');
      const { version, legal_name = null, ein = null, mailing_address = null, ...rest } = body;
      return changeConfig({ ...rest, legal_name, ein, mailing_address, version });
    },
  ),

  patch(
    '/',
    { ...changes, summary: 'Change settings of the foundation', body: ConfigEdit },
    async ({ actor, body }) => {
      authorize(actor, configPolicy, 'change');
      return changeConfig({ ...toColumns(FoundationConfig, body), version: body.version });
    },
  ),
]);
