import { z } from 'zod';
import { STATES } from '../../../gateways/storage/provisioning/planParts.js';
import { StorageJson, StorageProvisioningJson } from '../../organizations/storage-config/schema.js';

export const ProvisionStorage = z
  .strictObject({ dry_run: z.boolean().meta({ description: 'True: only plans, and changes nothing.' }) })
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
  policy: state.meta({ description: 'The policy that allows the user only to read and write below the prefix.' }),
  key: state.meta({ description: 'The key of the user: whether a working one is stored here.' }),
  config: state.meta({ description: 'The store of the organization that receives new files.' }),
});

export const StorageProvisioned = z
  .object({
    plan: StoragePlan.nullable(),
    provisioning: StorageProvisioningJson.nullable(),
    storage: StorageJson.nullable().meta({
      description: 'The store that receives new files, once provisioning is completed.',
    }),
  })
  .meta({
    id: 'StorageProvisioned',
    description: 'With `dry_run` the plan, otherwise the status of the provisioning.',
  });
