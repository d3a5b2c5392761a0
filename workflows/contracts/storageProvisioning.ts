import type { FailureTexts } from './failures.js';
import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface StorageProvisioningInput extends TenantInput {
  provisioningId: string;
  /** Number of the provisioning within its organization. */
  number: string;
}

/** `failed`: the provider did not create the store; the row shows the reason. */
export type StorageProvisioningOutcome = 'completed' | 'failed';

const FAILURES: FailureTexts = {
  ProvisioningUnavailable: {
    code: 'storage_provider_unavailable',
    detail: 'The storage provider does not answer, or is not ready yet. The request is repeated.',
  },
  StorageNotUsable: {
    code: 'storage_not_usable',
    detail: 'The store cannot be used for files yet. The test is repeated.',
  },
};

/** Provisions an organization's own store: a bucket, a user, a policy and one key. */
export const storageProvisioning = {
  ...bulkProcess,
  name: 'storageProvisioning',
  kind: 'storage_provisioning',
  workflowId: ({ organizationId, number }) => `storage-provisioning/${organizationId}/${number}`,
  allowRestart: true,
  subject: { type: 'storage_provisioning', id: 'provisioningId' },
  summary: 'Provision an own store for an organization',
  expectedMinutes: 15,
  stages: {
    preparing: 'The bucket is being created, encrypted and closed to the public, with a user for it.',
    issuing_key: 'The user is getting its only key. Keys with a lost secret are deleted first.',
    trying: 'The store is being tested for all operations that files need.',
  },
  ends: {
    completed: 'New files go to the store.',
    failed:
      'The provider did not create the store. The row shows the reason. A new request continues with the existing parts.',
  },
  steps: {
    prepareStorage: 'the bucket, user and policy to exist',
    issueStorageKey: 'the key to be created and recorded',
    openStorage: 'the store to support all file operations',
    failStorageProvisioning: 'the provisioning to be closed as failed',
    stopStorageProvisioning: 'the provisioning to be closed as cancelled',
  },
  failures: FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: null,
    says: 'Parts already created stay at the provider, and files go to their previous store. A new request continues with the existing parts.',
  },
  example: (newId) => ({ provisioningId: newId(), number: '1' }),
} as const satisfies ProcessContract<StorageProvisioningInput, StorageProvisioningOutcome>;
