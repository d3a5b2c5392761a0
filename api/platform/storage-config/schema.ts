import { z } from 'zod';
import { STATES } from '../../../gateways/storage/provisioning/planParts.js';
import { StorageJson, StorageProvisioningJson } from '../../organizations/storage-config/schema.js';

export const ProvisionStorage = z
  .strictObject({ dry_run: z.boolean().meta({ description: 'On: nothing changes.' }) })
  .meta({ id: 'StorageProvision', example: { dry_run: true } });

const state = z.enum(STATES);

const StoragePlan = z.object({
  endpoint: z.string().nullable().meta({ description: 'Null: AWS.' }),
  region: z.string(),
  bucket_name: z.string(),
  prefix: z.string(),
  user_name: z.string(),
  user: state,
  bucket: state,
  encryption: state,
  no_public_access: state,
  policy: state.meta({ description: 'What lets the user read and write below the prefix, and nothing else.' }),
  key: state.meta({ description: 'Of the user: the one that is on record here, and opens something.' }),
  config: state.meta({ description: 'The store of the organization that takes new files.' }),
});

export const StorageProvisioned = z
  .object({
    plan: StoragePlan.nullable(),
    provisioning: StorageProvisioningJson.nullable(),
    storage: StorageJson.nullable().meta({ description: 'Once it is completed: where new files go.' }),
  })
  .meta({ id: 'StorageProvisioned', description: 'With `dry_run` the plan, else what became of it so far.' });
