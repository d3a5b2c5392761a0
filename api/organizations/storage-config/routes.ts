import { refuse } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { chooseStore, leaveStore, readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, del, get, post, put, routes } from '../../http/routes.js';
import { storageConfigPolicy } from './policy.js';
import { StorageJson, StoragePut, StorageTestJson } from './schema.js';
import { testStore } from './testStore.js';

const shared = { access: 'tenant', tags: ['organizations'], params: OrganizationParams } as const;
const writes = { ...shared, rule: by(storageConfigPolicy, 'write'), stepUp: 'tenant' } as const;

/** What the same addresses of the platform say, too. */
export const says = {
  read: { summary: 'Where files of the organization are kept', response: StorageJson },
  choose: {
    summary: 'Keep new files in a store of its own',
    description:
      'Files that are there stay where they are, and are read there. The store is reached by https at public addresses. ' +
      'With another key for the same store its files are read by that one; try it with `test/`.',
    body: StoragePut,
    response: StorageJson,
    errors: [refuse.stale_version, fileErrors.too_many_stores],
  },
  leave: {
    summary: "Keep new files in the platform's store",
    description: 'Files that are there stay where they are, and are read there.',
  },
  test: {
    summary: 'Try the store of its own',
    description:
      'An object is written, read, compared, fetched by a signed address and deleted. The answer says at which step that failed; ' +
      'what the store wrote is not in it.',
    throttle: ['storage_config_test' as const],
    response: StorageTestJson,
    errors: [fileErrors.no_own_store],
  },
};

export const storageConfigRoutes = routes('/api/organizations/:organization_id/storage-config', [
  get('/', { ...shared, ...says.read, rule: by(storageConfigPolicy, 'read') }, async ({ actor }) => {
    authorize(actor, storageConfigPolicy, 'read');
    return readStorage();
  }),

  put('/', { ...writes, ...says.choose }, async ({ actor, body }) => {
    authorize(actor, storageConfigPolicy, 'write');
    return chooseStore(body);
  }),

  del('/', { ...writes, ...says.leave }, async ({ actor }) => {
    authorize(actor, storageConfigPolicy, 'write');
    await leaveStore();
  }),

  post('/test/', { ...shared, ...says.test, rule: by(storageConfigPolicy, 'test') }, async ({ actor }) => {
    authorize(actor, storageConfigPolicy, 'test');
    const tried = await testStore(actor.organizationId);
    return new AfterCommit(() => tried());
  }),
]);
