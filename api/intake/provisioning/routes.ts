import { tryProvider } from '../../../gateways/accounts/tryProvider.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import {
  openConfig,
  readConfig,
  removeConfig,
  replaceConfig,
  wakeWaiting,
} from '../../../models/intake/provisioning/config.js';
import { ProvisioningRecord } from '../../../models/intake/provisioning/ProvisioningRecord.js';
import { retryAccount } from '../../../models/intake/provisioning/records.js';
import { originOf } from '../../http/origin.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { AfterCommit, del, get, post, put, routes } from '../../http/routes.js';
import { provisioningPolicy } from './policy.js';
import {
  ProvisioningConfigJson,
  ProvisioningConfigPut,
  ProvisioningRecordJson,
  ProvisioningTestJson,
} from './schema.js';

const tags = ['intake'];
const shared = { access: 'tenant', tags, params: OrganizationParams } as const;
const writes = { ...shared, rule: by(provisioningPolicy, 'write'), stepUp: 'tenant' } as const;
const record = resource(ProvisioningRecord, { policy: provisioningPolicy, tags });

const shown = async () => {
  const config = await readConfig();
  return { config, version: config?.version ?? 0 };
};

const configRoutes = routes('/api/organizations/:organization_id/provisioning-config', [
  get(
    '/',
    {
      ...shared,
      summary: 'Where members who cross get an account',
      rule: by(provisioningPolicy, 'read'),
      response: ProvisioningConfigJson,
    },
    async ({ actor }) => {
      authorize(actor, provisioningPolicy, 'read');
      return shown();
    },
  ),

  put(
    '/',
    {
      ...writes,
      summary: 'Have accounts made for members who cross',
      description:
        'Whoever crosses from then on gets one; accounts that are there stay as they are. Whoever waited for other credentials is ' +
        'tried again.',
      body: ProvisioningConfigPut,
      response: ProvisioningConfigJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, provisioningPolicy, 'write');
      await replaceConfig(body);
      return shown();
    },
  ),

  del(
    '/',
    { ...writes, summary: 'Have no more accounts made', description: 'Those that are there stay as they are.' },
    async ({ actor }) => {
      authorize(actor, provisioningPolicy, 'write');
      await removeConfig();
    },
  ),

  post(
    '/test/',
    {
      ...shared,
      summary: 'Try the provider of accounts',
      description:
        'Asks for a token, the domain, the unit and the groups, and makes nothing. The answer says at which step that failed; what ' +
        'the provider wrote is not in it. When all goes well, whoever waited is tried again.',
      rule: by(provisioningPolicy, 'write'),
      throttle: ['provisioning_config_test'],
      response: ProvisioningTestJson,
      errors: [refuse.not_found],
    },
    async ({ actor, request }) => {
      authorize(actor, provisioningPolicy, 'write');
      const opened = await openConfig();
      if (!opened) throw refuse.not_found();
      const isWaiting = (await readConfig())?.waits != null;
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const trial = await tryProvider(opened.settings, opened);
        if (trial.failed_step === null && isWaiting) await inTenant(actor.organizationId, wakeWaiting, { origin });
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
      summary: 'Go on with an account that failed or needs attention',
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
