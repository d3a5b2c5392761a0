import { fileErrors } from '../../../models/organizations/files/errors.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { chooseStore, deactivateStore, readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { ownTransaction } from '../../http/dispatch.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams } from '../../http/params.js';
import { AfterCommit, Answer, del, get, post, put, routes } from '../../http/routes.js';
import { storageRouteOptions } from '../../organizations/storage-config/routes.js';
import { testStore } from '../../organizations/storage-config/testStore.js';
import { PROVIDER_ERRORS } from './failures.js';
import { planStorage } from './planStorage.js';
import { provisionStorage } from './provisionStorage.js';
import { ProvisionStorage, StorageProvisioned } from './schema.js';

const shared = { access: 'platform', tags: ['platform'], params: OrganizationParams } as const;
const writes = { ...shared, stepUp: 'tenant' } as const;

const NO_RESULT = { provisioning: null, storage: null };

export const platformStorageConfigRoutes = routes('/api/platform/organizations/:organization_id/storage-config', [
  get('/', { ...shared, ...storageRouteOptions.read }, async ({ params }) => {
    const { organization_id: id } = params;
    return new AfterCommit(async () => new Answer(await inOrganization(id, readStorage, { readOnly: true })));
  }),

  put('/', { ...writes, ...storageRouteOptions.choose }, async ({ actor, params, body, request }) => {
    const origin = originOf(request, actor);
    const { organization_id: id } = params;
    return new AfterCommit(async () => new Answer(await inOrganization(id, () => chooseStore(body), { origin })));
  }),

  del('/', { ...writes, ...storageRouteOptions.leave }, async ({ actor, params, request }) => {
    const origin = originOf(request, actor);
    return new AfterCommit(() => inOrganization(params.organization_id, deactivateStore, { origin }));
  }),

  post('/test/', { ...shared, ...storageRouteOptions.test }, async ({ params }) => {
    const { organization_id: id } = params;
    return new AfterCommit(async () => (await inOrganization(id, () => testStore(id), { readOnly: true }))());
  }),

  post(
    '/provision/',
    {
      ...writes,
      summary: 'Provision a store for the organization',
      operationId: 'createOrganizationStore',
      description:
        'Creates a bucket, a user and its key at the provider of the platform; existing parts stay. With `dry_run` it only reads ' +
        'and plans. A request during provisioning joins the running process.',
      body: ProvisionStorage,
      response: StorageProvisioned,
      alsoStatus: [202],
      errors: [...PROVIDER_ERRORS, fileErrors.too_many_stores],
    },
    async ({ actor, params: { organization_id: id }, body, request }) => {
      const transaction = ownTransaction(request, actor);
      return new AfterCommit(async () => {
        const plan = body.dry_run ? await planStorage(id) : null;
        const { provisioning, storage } = body.dry_run ? NO_RESULT : await provisionStorage(id, transaction);
        return new Answer({ plan, provisioning, storage }, { status: provisioning?.status === 'running' ? 202 : 200 });
      });
    },
  ),
]);
