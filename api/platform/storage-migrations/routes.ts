import { fileErrors } from '../../../models/organizations/files/errors.js';
import { cancelMigration } from '../../../models/organizations/storage-migrations/endMigration.js';
import {
  planMigration,
  retryMigration,
  startMigration,
} from '../../../models/organizations/storage-migrations/planMigration.js';
import { listMigrations, readMigration } from '../../../models/organizations/storage-migrations/readMigrations.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { originOf } from '../../http/origin.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { AfterCommit, Answer, get, post, routes } from '../../http/routes.js';
import { StorageMigrationJson } from '../../organizations/storage-config/schema.js';
import { purge } from './purge.js';
import { StorageMigrationBody, StorageMigrationPlanned, StorageMigrationsQuery } from './schema.js';

const common = { access: 'platform', tags: ['platform'] } as const;
const one = { ...common, params: OrganizationRowParams, response: StorageMigrationJson } as const;
const { storage_migration_ended, storage_migration_not_ended, storage_migration_running, storage_not_purgeable } =
  fileErrors;

export const storageMigrationRoutes = routes('/api/platform/organizations/:organization_id/storage-migrations', [
  get(
    '/',
    {
      ...common,
      summary: 'Storage migrations of an organization',
      params: OrganizationParams,
      query: StorageMigrationsQuery,
      response: pageOf(StorageMigrationJson),
    },
    async ({ params, query, request }) =>
      new AfterCommit(async () => {
        const { organization_id: id } = params;
        const page = await inOrganization(id, () => listMigrations(pageRequest(query)), { readOnly: true });
        return presentPage(page, query, request, (row) => row);
      }),
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Start a storage migration',
      description:
        'Moves files to the store that receives new files. Files stay readable during the migration. The source copies stay until they are purged.',
      stepUp: 'tenant',
      params: OrganizationParams,
      body: StorageMigrationBody,
      response: StorageMigrationPlanned,
      status: 202,
      alsoStatus: [200],
      errors: [storage_migration_running, fileErrors.store_not_active],
    },
    async ({ actor, params, body: { dry_run, ...way }, request }) => {
      const { organization_id: id } = params;
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const plan = dry_run ? await inOrganization(id, () => planMigration(way), { readOnly: true }) : null;
        const migration = dry_run ? null : await inOrganization(id, () => startMigration(way), { origin });
        return new Answer({ plan, migration }, { status: dry_run ? 200 : 202 });
      });
    },
  ),

  get('/:id/', { ...one, summary: 'A storage migration and its progress' }, async ({ params }) => {
    const { organization_id: organization, id } = params;
    return new AfterCommit(() => inOrganization(organization, () => readMigration(id), { readOnly: true }));
  }),

  post(
    '/:id/cancel/',
    { ...one, summary: 'Cancel a storage migration', stepUp: 'tenant', errors: [storage_migration_ended] },
    async ({ actor, params: { organization_id, id }, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(() => inOrganization(organization_id, () => cancelMigration(id), { origin }));
    },
  ),

  post(
    '/:id/retry/',
    {
      ...one,
      summary: 'Retry a storage migration that failed, was cancelled or missed files',
      stepUp: 'tenant',
      status: 202,
      errors: [
        storage_migration_not_ended,
        storage_migration_running,
        fileErrors.store_forgotten,
        fileErrors.store_not_active,
      ],
    },
    async ({ actor, params: { organization_id, id }, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(() => inOrganization(organization_id, () => retryMigration(id), { origin }));
    },
  ),

  post(
    '/:id/purge-source/',
    {
      ...one,
      summary: 'Purge the source of a storage migration',
      operationId: 'removeStorageMigrationSource',
      description:
        'Possible seven days after the end. A scheduled job deletes the source copies within the hour. Nothing is deleted if source and target are the same bucket.',
      stepUp: 'tenant',
      errors: [storage_not_purgeable, fileErrors.storage_unavailable],
    },
    async ({ actor, params: { organization_id, id }, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(() => purge(organization_id, id, { origin }));
    },
  ),
]);
