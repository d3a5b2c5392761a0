import type { ProcessContract, TenantInput } from './process.js';

export interface ProvisionAccountInput extends TenantInput {
  recordId: string;
}

/** `waiting`: the provider rejects the credentials; new credentials start it again. */
export type ProvisionAccountOutcome = 'active' | 'suspended' | 'failed' | 'needs_attention' | 'waiting';

/** Brings a member's office-suite account to the state that the membership requires. */
export const provisionAccount = {
  name: 'provisionAccount',
  kind: 'account_provisioning',
  taskQueue: 'core',
  priority: 4,
  workflowId: ({ recordId }) => `provision/${recordId}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'many',
  seenBy: 'organization',
  subject: { type: 'account_provisioning_record', id: 'recordId' },
  chapterId: () => null,
  summary: 'Make a member’s account at the office suite, or shut it',
  // Quotas are per day, and a provider may be down for long.
  expectedMinutes: 24 * 60,
  money: 'never',
  stages: {
    creating: 'The account is made under an address that is reserved for it.',
    joining: 'The account joins the groups of all members.',
    switching: 'The account is shut, or opened again, as the membership is.',
    waiting_for_provider: 'The provider is left alone for a while, as it asked or since it did not answer.',
  },
  ends: {
    active: 'The account is there, and in its groups.',
    suspended: 'The account is shut; nothing of it is deleted.',
    failed: 'The provider does not make it. The record says why, and can be retried.',
    needs_attention: 'Somebody has to look after it. The record says why, and can be retried.',
    waiting:
      'The provider takes no credentials at the moment. With others, or after a trial that goes well, this goes on.',
  },
  steps: {
    prepareAccount: 'an address to be reserved',
    createAccount: 'the account to be made',
    joinGroups: 'the account to be in its groups',
    switchAccount: 'the account to be shut or opened',
  },
  sleepsUntil: 'the provider may be asked again',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'needs_attention',
    says: 'What is at the provider stays there; the record needs attention, and can be retried.',
  },
  example: (newId) => ({ recordId: newId() }),
} as const satisfies ProcessContract<ProvisionAccountInput, ProvisionAccountOutcome>;
