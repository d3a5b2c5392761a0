import type { FailureWords } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface StorageProvisioningInput extends TenantInput {
  provisioningId: string;
  /** Number of the provisioning within its organization. */
  number: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type StorageProvisioningOutcome = 'completed' | 'failed';

const FAILURES: FailureWords = {
  ProvisioningUnavailable: {
    code: 'storage_provider_unavailable',
    detail: 'The provider of stores does not answer, or cannot do it yet. It is asked again.',
  },
  StorageNotUsable: {
    code: 'storage_not_usable',
    detail: 'The store does not do what files need yet. It is tried again.',
  },
};

/** Provisions an organization's own store: a bucket, a user, a policy and one key. */
export const storageProvisioning = {
  name: 'storageProvisioning',
  kind: 'storage_provisioning',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ organizationId, number }) => `storage-provisioning/${organizationId}/${number}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'storage_provisioning', id: 'provisioningId' },
  chapterId: () => null,
  summary: 'Make an organization a store of its own',
  expectedMinutes: 15,
  money: 'never',
  stages: {
    preparing: 'The bucket is made, encrypted and closed to the public, and a user who may use it.',
    issuing_key: 'The user gets its one key; any that nobody knows the secret of is deleted first.',
    trying: 'It is tried whether the store does all that files need.',
  },
  ends: {
    completed: 'The store takes new files.',
    failed: 'The provider did not do it. The row says why; asked for again, what is there is gone on with.',
  },
  steps: {
    prepareStorage: 'bucket, user and policy to be there',
    issueStorageKey: 'the one key to be made and kept',
    openStorage: 'the store to do what files need',
    failStorageProvisioning: 'the provisioning to be closed as failed',
    stopStorageProvisioning: 'the provisioning to be closed where it stands',
  },
  sleepsUntil: null,
  failures: FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: null,
    says: 'What is at the provider stays there, and files go where they went. Asked for again, it is gone on with.',
  },
  example: (newId) => ({ provisioningId: newId(), number: '1' }),
} as const satisfies ProcessContract<StorageProvisioningInput, StorageProvisioningOutcome>;
