import { inOrganization } from '../../../models/platform/inOrganization.js';
import { chooseStore, leaveStore, readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams } from '../../http/params.js';
import { AfterCommit, Answer, del, get, post, put, routes } from '../../http/routes.js';
import { says } from '../../organizations/storage-config/routes.js';
import { testStore } from '../../organizations/storage-config/testStore.js';
import { PROVIDER_ERRORS, planStorage } from './planStorage.js';
import { ProvisionStorage, StorageProvisioned } from './schema.js';

const shared = { access: 'platform', tags: ['platform'], params: OrganizationParams } as const;
const writes = { ...shared, stepUp: 'tenant' } as const;

export const platformStorageConfigRoutes = routes('/api/platform/organizations/:organization_id/storage-config', [
  get('/', { ...shared, ...says.read }, async ({ params }) => {
    const { organization_id: id } = params;
    return new AfterCommit(async () => new Answer(await inOrganization(id, readStorage, { readOnly: true })));
  }),

  put('/', { ...writes, ...says.choose }, async ({ actor, params, body, request }) => {
    const origin = originOf(request, actor);
    const { organization_id: id } = params;
    return new AfterCommit(async () => new Answer(await inOrganization(id, () => chooseStore(body), { origin })));
  }),

  del('/', { ...writes, ...says.leave }, async ({ actor, params, request }) => {
    const origin = originOf(request, actor);
    return new AfterCommit(() => inOrganization(params.organization_id, leaveStore, { origin }));
  }),

  post('/test/', { ...shared, ...says.test }, async ({ params }) => {
    const { organization_id: id } = params;
    return new AfterCommit(async () => (await inOrganization(id, () => testStore(id), { readOnly: true }))());
  }),

  post(
    '/provision/',
    {
      ...writes,
      summary: 'What it takes to keep its files in a bucket of its own',
      operationId: 'createOrganizationStore',
      description: 'Looked up at the provider of the platform by reads alone.',
      body: ProvisionStorage,
      response: StorageProvisioned,
      errors: PROVIDER_ERRORS,
    },
    async ({ params }) => new AfterCommit(async () => new Answer({ plan: await planStorage(params.organization_id) })),
  ),
]);
