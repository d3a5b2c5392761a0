import { z } from 'zod';
import { PROVIDER_STEPS } from '../../../gateways/accounts/tryProvider.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { OfficeCredentials, WorkspaceCredentials } from '../../../models/intake/provisioning/credentials.js';
import { ProvisioningConfig } from '../../../models/intake/provisioning/ProvisioningConfig.js';
import { ProvisioningRecord } from '../../../models/intake/provisioning/ProvisioningRecord.js';
import { PROVIDERS, RECORD_STATUSES } from '../../../models/intake/provisioning/vocabulary.js';

const ConfigJson = rowJson(ProvisioningConfig);

export const ProvisioningConfigJson = z
  .object({
    config: ConfigJson.nullable().meta({ description: 'Null if members who cross get no account.' }),
    version: z.int().meta({ description: '0 if there is no configuration.' }),
  })
  .meta({ id: 'AccountProvisioning' });

export const ProvisioningConfigPut = createBody(ProvisioningConfig)
  .safeExtend({
    credentials: z.union([WorkspaceCredentials, OfficeCredentials]).optional().meta({
      description: 'Never returned. If left out, the credentials entered for this provider and domain stay.',
    }),
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description: 'The version that you have seen; after a change the answer is 409.',
      example: 0,
    }),
  })
  .strict()
  .meta({
    id: 'AccountProvisioningPut',
    example: {
      provider: 'workspace_suite',
      domain: 'northern-star.example.org',
      address_template: '{first}.{last}',
      unit: '/Members',
      groups: ['members@northern-star.example.org'],
      on_leave: 'suspend',
      credentials: {
        client_email: 'provisioning@project.iam.example.org',
        private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBg\n-----END PRIVATE KEY-----',
        delegated_admin: 'admin@northern-star.example.org',
      },
    },
  });

export const ProvisioningTestJson = z
  .object({
    failed_step: z
      .enum(PROVIDER_STEPS)
      .nullable()
      .meta({ description: 'Null if the provider does all that accounts need.' }),
    answer: z.string().nullable().meta({ description: 'Error code of the provider, or of the platform.' }),
  })
  .meta({ id: 'AccountProvisioningTest', example: { failed_step: 'credentials', answer: 'invalid_grant' } });

export const ProvisioningRecordJson = rowJson(ProvisioningRecord);

export const OwnAccountJson = z
  .object({
    provider: z.enum(PROVIDERS).nullable(),
    address: z.string().nullable(),
    status: z.enum(RECORD_STATUSES),
    password_given_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Null if none was issued; it can be requested once the account is active.' }),
  })
  .meta({ id: 'OwnProvisionedAccount' });

export const OwnPasswordJson = z
  .object({
    address: z.string().nullable(),
    password: z.string().meta({ description: 'Shown only once. It must be changed at the first sign-in.' }),
  })
  .meta({ id: 'ProvisionedPassword' });
