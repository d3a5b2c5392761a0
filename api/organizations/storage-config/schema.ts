import { z } from 'zod';
import { STORE_STEPS } from '../../../gateways/storage/tryStore.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { version } from '../../../models/fields.js';
import { StorageProvisioning } from '../../../models/organizations/storage-provisioning/StorageProvisioning.js';
import { StorageMigration } from '../../../models/organizations/storage-migrations/StorageMigration.js';
import { StorageConfig } from '../../../models/organizations/storage-config/StorageConfig.js';

/** A migration of files to another store, as returned by the platform's routes. */
export const StorageMigrationJson = rowJson(StorageMigration);

/** The provisioning of a store, as returned by the platform's routes. */
export const StorageProvisioningJson = rowJson(StorageProvisioning);

const StoreJson = rowJson(StorageConfig);

export const StorageJson = z
  .object({
    store: StoreJson.nullable().meta({ description: "The store for new files; null for the platform's store." }),
    earlier: z
      .array(StoreJson)
      .meta({ description: 'Former stores that still contain files; the files are read there.' }),
    version: version.meta({ description: "Version of the choice; 0 for the platform's store." }),
  })
  .meta({ id: 'Storage' });

export const StoragePut = createBody(StorageConfig)
  .safeExtend({
    secret_access_key: z
      .string()
      .regex(/^[!-~]{1,500}$/, 'Must be letters, digits and punctuation without spaces.')
      .optional()
      .meta({ description: 'Never returned. If omitted, the stored secret of this store and key stays.' }),
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description: 'The version that you last read. A different current version returns 409.',
      example: 0,
    }),
  })
  .strict()
  .meta({
    id: 'StoragePut',
    example: {
      provider: 's3_compatible',
      endpoint: 'https://files.example.org',
      region: 'eu-central-1',
      bucket: 'northern-star',
      prefix: 'membership/',
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'wJalrXUtnFEMIexampleKEY',
    },
  });

export const StorageTestJson = z
  .object({
    failed_step: z.enum(STORE_STEPS).nullable().meta({ description: 'Null: the store supports all file operations.' }),
    answer: z.string().nullable().meta({ description: 'Error code of the store, or the name of an error.' }),
  })
  .meta({ id: 'StorageTest', example: { failed_step: 'write', answer: 'NoSuchBucket' } });
