import { refuse } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { chooseStore, deactivateStore, readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { AfterCommit, del, get, post, put, routes } from '../../http/routes.js';
import { StorageJson, StoragePut, StorageTestJson } from './schema.js';
import { testStore } from './testStore.js';

const storageConfigPolicy = policy('storage configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});

const shared = { access: 'tenant', tags: ['organizations'], params: OrganizationParams } as const;
const writes = { ...shared, rule: by(storageConfigPolicy, 'write'), stepUp: 'tenant' } as const;

/** Options of the routes about an organization's store. The corresponding platform routes use them as well. */
export const storageRouteOptions = {
  read: { summary: 'Get the storage of the organization', response: StorageJson },
  choose: {
    summary: 'Set an own store for new files',
    description:
      'Existing files stay in their store and are read there. The store must be reachable by https at public addresses. ' +
      'A new key for the same store is used to read its files, too. Test it with `test/`.',
    body: StoragePut,
    response: StorageJson,
    errors: [refuse.stale_version, fileErrors.too_many_stores],
  },
  leave: {
    summary: "Use the platform's store for new files",
    description: 'Existing files stay in their store and are read there.',
  },
  test: {
    summary: 'Test the own store',
    description:
      'Writes an object, reads and compares it, fetches it through a signed URL, and deletes it. The response shows the failed step, ' +
      'but not the response of the store.',
    throttle: ['storage_config_test' as const],
    response: StorageTestJson,
    errors: [fileErrors.no_own_store],
  },
};

export const storageConfigRoutes = routes('/api/organizations/:organization_id/storage-config', [
  get('/', { ...shared, ...storageRouteOptions.read, rule: by(storageConfigPolicy, 'read') }, async ({ actor }) => {
    authorize(actor, storageConfigPolicy, 'read');
    return readStorage();
  }),

  put('/', { ...writes, ...storageRouteOptions.choose }, async ({ actor, body }) => {
    authorize(actor, storageConfigPolicy, 'write');
    return chooseStore(body);
  }),

  del('/', { ...writes, ...storageRouteOptions.leave }, async ({ actor }) => {
    authorize(actor, storageConfigPolicy, 'write');
    await deactivateStore();
  }),

  post(
    '/test/',
    { ...shared, ...storageRouteOptions.test, rule: by(storageConfigPolicy, 'test') },
    async ({ actor }) => {
      authorize(actor, storageConfigPolicy, 'test');
      const runTest = await testStore(actor.organizationId);
      return new AfterCommit(() => runTest());
    },
  ),
]);
