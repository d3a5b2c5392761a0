import { z } from 'zod';
import { recordId } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';
import { StorageMigrationJson } from '../../organizations/storage-config/schema.js';

const store = recordId.nullable().meta({ description: "The id of a store; null: the platform's." });

export const StorageMigrationsQuery = z.object(pageQuery);

export const StorageMigrationBody = z
  .strictObject({
    from: store,
    to: store,
    dry_run: z.boolean().meta({ description: 'True: only plans, and changes nothing.' }),
  })
  .meta({
    id: 'StorageMigrationCreate',
    example: { from: null, to: '01900000-0000-7000-8000-000000000000', dry_run: true },
  });

export const StorageMigrationPlanned = z
  .object({
    plan: z.object({ from_store: z.string(), to_store: z.string(), files: z.int(), bytes: z.int() }).nullable(),
    migration: StorageMigrationJson.nullable(),
  })
  .meta({ id: 'StorageMigrationPlanned', description: 'With `dry_run` the plan, otherwise the migration.' });
