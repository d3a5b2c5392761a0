import { z } from 'zod';
import { DataTypes } from 'sequelize';
import { column, integer, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { RIGHT_LOST_DESCRIPTION } from '../holdsRight.js';
import { fileErrors } from '../files/errors.js';

const STATUSES = [
  'planned',
  'copying',
  'verifying',
  'completed',
  'completed_with_missing',
  'failed',
  'cancelled',
  'stopped_right_lost',
] as const;
export type MigrationStatus = (typeof STATUSES)[number];

const MAX_INT = 2_147_483_647;
const count = () => integer(0, MAX_INT).default(0).serverSet();
const bytes = () => column(DataTypes.BIGINT, z.int().min(0), z.int()).default(0).serverSet();
const COPIES = `stored_file_copies c WHERE c.organization_id = storage_migrations.organization_id
  AND c.migration_id = storage_migrations.id AND c.status`;

/** A migration of an organization's files from one storage to another (spec: StorageMigration). */
export class StorageMigration extends defineModel({
  table: 'storage_migrations',
  subject: 'storage_migration',
  columns: {
    ...tenantKeys,
    from_config_id: link().as('from').nullable().serverSet(),
    to_config_id: link().as('to').nullable().serverSet(),
    from_store: text(600).serverSet().meta({ description: '`platform`, or endpoint, bucket and prefix.' }),
    to_store: text(600).serverSet(),
    status: oneOf(STATUSES).default('planned').serverSet().meta({ description: RIGHT_LOST_DESCRIPTION }),
    files_total: count().meta({ description: 'Number of files when the migration began.' }),
    bytes_total: bytes(),
    files_moved: count(),
    bytes_moved: bytes(),
    requested_by: link().nullable().serverSet(),
    started_at: moment().nullable(),
    ended_at: moment().nullable(),
    purged_at: moment().nullable().meta({ description: 'When the source files were purged; the sweep deletes them.' }),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    files_missing: derived(
      z.int().meta({
        description: 'Files that are missing in the source storage or have other contents. They stay where they were.',
      }),
      `(SELECT count(*)::int FROM ${COPIES} = 'missing')`,
    ),
    missing: derived(
      z.array(z.uuid()).meta({ description: 'The ids of the first hundred missing files.' }),
      `ARRAY(SELECT c.file_id FROM ${COPIES} = 'missing' ORDER BY c.file_id LIMIT 100)`,
    ),
    files_left: derived(
      z.int().meta({ description: 'Files still to move, of those that existed when the migration began.' }),
      `(SELECT greatest(0, storage_migrations.files_total - storage_migrations.files_moved - count(*))::int
          FROM ${COPIES} = 'missing')`,
    ),
    sources_left: derived(
      z.int().meta({
        description: 'Objects that remain in the source storage until they are purged or their file is removed.',
      }),
      `(SELECT count(*)::int FROM ${COPIES} = 'left')`,
    ),
    bytes_per_second: derived(
      z.int().nullable(),
      `least(${MAX_INT}, storage_migrations.bytes_moved / nullif(ceil(extract(epoch FROM
         coalesce(storage_migrations.ended_at, now()) - storage_migrations.started_at)), 0))::int`,
    ),
    waits_for: derived(
      z.enum(['uploads', 'removal']).nullable().meta({
        description:
          'While verifying: `uploads` to the source storage that have not finished, or the `removal` of a leftover object from the target storage, after which its file is copied.',
      }),
      `CASE WHEN storage_migrations.status <> 'verifying' THEN NULL
            WHEN EXISTS (SELECT FROM stored_file_copies c JOIN stored_files f
                           ON f.organization_id = c.organization_id AND f.id = c.file_id AND f.status IN ('held', 'kept')
                          AND f.storage_config_id IS NOT DISTINCT FROM storage_migrations.from_config_id
                  WHERE c.organization_id = storage_migrations.organization_id AND c.claimed_at IS NOT NULL
                    AND c.storage_config_id IS NOT DISTINCT FROM storage_migrations.to_config_id) THEN 'removal'
            WHEN EXISTS (SELECT FROM stored_files f WHERE f.organization_id = storage_migrations.organization_id
                    AND f.status = 'uploading'
                    AND f.storage_config_id IS NOT DISTINCT FROM storage_migrations.from_config_id) THEN 'uploads' END`,
    ),
    workflow_id: derived(z.string(), `'storage-migration/' || storage_migrations.id`),
  },
  constraints: { storage_migrations_one_running: fileErrors.storage_migration_running },
}) {}
