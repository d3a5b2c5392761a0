import { tryProvider } from '../../../gateways/accounts/tryProvider.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import {
  decryptConfig,
  readConfig,
  removeConfig,
  replaceConfig,
  retryWaiting,
} from '../../../models/intake/provisioning/config.js';
import { ProvisioningRecord } from '../../../models/intake/provisioning/ProvisioningRecord.js';
import { retryAccount } from '../../../models/intake/provisioning/records.js';
import { originOf } from '../../http/origin.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { AfterCommit, del, get, post, put, routes } from '../../http/routes.js';
import {
  ProvisioningConfigJson,
  ProvisioningConfigPut,
  ProvisioningRecordJson,
  ProvisioningTestJson,
} from './schema.js';

const provisioningPolicy = policy('account provisioning', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['intake'];
const shared = { access: 'tenant', tags, params: OrganizationParams } as const;
const writes = { ...shared, rule: by(provisioningPolicy, 'write'), stepUp: 'tenant' } as const;
const record = resource(ProvisioningRecord, { policy: provisioningPolicy, tags });

const readShownConfig = async () => {
  const config = await readConfig();
  return { config, version: config?.version ?? 0 };
};

const configRoutes = routes('/api/organizations/:organization_id/provisioning-config', [
  get(
    '/',
    {
      ...shared,
      summary: 'Account provisioning for members who cross',
      rule: by(provisioningPolicy, 'read'),
      response: ProvisioningConfigJson,
    },
    async ({ actor }) => {
      authorize(actor, provisioningPolicy, 'read');
      return readShownConfig();
    },
  ),

  put(
    '/',
    {
      ...writes,
      summary: 'Configure account provisioning for members who cross',
      description:
        'Members who cross from then on get an account; existing accounts stay as they are. Accounts that wait for credentials are ' +
        'tried again.',
      body: ProvisioningConfigPut,
      response: ProvisioningConfigJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, provisioningPolicy, 'write');
      await replaceConfig(body);
      return readShownConfig();
    },
  ),

  del(
    '/',
    { ...writes, summary: 'Stop account provisioning', description: 'Existing accounts stay as they are.' },
    async ({ actor }) => {
      authorize(actor, provisioningPolicy, 'write');
      await removeConfig();
    },
  ),

  post(
    '/test/',
    {
      ...shared,
      summary: 'Test the account provider',
      description:
        'Requests a token, the domain, the unit and the groups, and creates nothing. The answer names the step that failed, without ' +
        'the message of the provider. If the test succeeds, waiting accounts are tried again.',
      rule: by(provisioningPolicy, 'write'),
      throttle: ['provisioning_config_test'],
      response: ProvisioningTestJson,
      errors: [refuse.not_found],
    },
    async ({ actor, request }) => {
      authorize(actor, provisioningPolicy, 'write');
      const config = await decryptConfig();
      if (!config) throw refuse.not_found();
      const isWaiting = (await readConfig())?.waits != null;
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const trial = await tryProvider(config.settings, config);
        if (trial.failed_step === null && isWaiting) await inTenant(actor.organizationId, retryWaiting, { origin });
        return trial;
      });
    },
  ),
]);

export const provisioningRoutes = [
  ...configRoutes,

  ...routes('/api/organizations/:organization_id/provisioning-records', [
    record.page({
      summary: 'Accounts of members who crossed, the newest first',
      filters: ['status'],
      ordering: ordering({ created_at: 'account_provisioning_records.created_at' }, '-created_at'),
    }),
  ]),

  post(
    '/api/provisioning-records/:id/retry/',
    {
      access: 'tenant',
      tags,
      rule: by(provisioningPolicy, 'write'),
      summary: 'Retry an account that failed or needs attention',
      operationId: 'retryProvisioningRecord',
      params: RowParams,
      response: ProvisioningRecordJson,
      errors: [intakeErrors.account_not_stuck, intakeErrors.provisioning_refused],
    },
    async ({ actor, params }) => {
      authorize(actor, provisioningPolicy, 'write');
      return retryAccount(params.id);
    },
  ),
];
