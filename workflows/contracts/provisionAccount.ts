import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface ProvisionAccountInput extends TenantInput {
  recordId: string;
}

/** Signal: read the record again, because the state that it requires has changed. */
export const CHANGED_SIGNAL = 'changed';

/** `waiting`: the provider rejects the credentials. New credentials start the process again. */
export type ProvisionAccountOutcome = 'active' | 'suspended' | 'failed' | 'needs_attention' | 'waiting';

/** Brings a member's office-suite account to the state that the membership requires. */
export const provisionAccount = {
  ...tenantProcess,
  name: 'provisionAccount',
  kind: 'account_provisioning',
  taskQueue: 'core',
  priority: 4,
  workflowId: ({ recordId }) => `provision/${recordId}`,
  allowRestart: true,
  waitingRows: 'many',
  subject: { type: 'account_provisioning_record', id: 'recordId' },
  summary: 'Create or suspend a member’s office-suite account',
  // A day, because provider quotas are per day and a provider may be down for long.
  expectedMinutes: 24 * 60,
  money: 'never',
  stages: {
    creating: 'The account is being created with its reserved address.',
    joining: 'The account is being added to the member groups.',
    switching: 'The account is being suspended or reactivated, as the membership requires.',
    waiting_for_provider: 'Requests to the provider are paused, because it asked for it or did not answer.',
  },
  ends: {
    active: 'The account exists and is in its groups.',
    suspended: 'The account is suspended. Nothing is deleted.',
    failed: 'The provider refused to create the account. The record shows the reason and can be retried.',
    needs_attention: 'The record needs attention. It shows the reason and can be retried.',
    waiting:
      'The provider rejects the credentials. The process continues with new credentials, or after a successful test.',
  },
  steps: {
    prepareAccount: 'an address to be reserved',
    createAccount: 'the account to be created',
    joinGroups: 'the account to be added to its groups',
    switchAccount: 'the account to be suspended or reactivated',
  },
  sleepsUntil: 'the provider to accept requests again',
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'needs_attention',
    says: 'An account already created stays at the provider. The record needs attention and can be retried.',
  },
  example: (newId) => ({ recordId: newId() }),
} as const satisfies ProcessContract<ProvisionAccountInput, ProvisionAccountOutcome>;
