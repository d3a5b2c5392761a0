import type { ProcessContract, TenantInput } from './process.js';

export interface CrossInput extends TenantInput {
  crossingId: string;
}

/** `reverted`: the crossing was reverted before everything was done. */
export type CrossOutcome = 'crossed' | 'reverted';

/** Copies a new member's intake answers to their records, and welcomes them. */
export const cross = {
  name: 'cross',
  kind: 'crossing',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ crossingId }) => `crossing/${crossingId}`,
  // A member who accepts later has an account then, to which more can be copied.
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'crossing', id: 'crossingId' },
  chapterId: () => null,
  summary: 'Carry the answers of a new member to their records',
  expectedMinutes: 10,
  money: 'never',
  stages: {
    carrying: 'Answers are carried to the records of the member, where nothing stands.',
    provisioning: 'An account at the office suite is asked for, by a process of its own.',
    welcoming: 'Whoever has not accepted is mailed the invitation again.',
  },
  ends: {
    crossed: 'What could be carried is carried; the crossing says what became of each field.',
    reverted: 'The crossing was taken back; what was carried stays.',
  },
  steps: {
    carryAnswers: 'the answers to be carried',
    welcomeMember: 'the invitation to be mailed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: null,
    says: 'The person stays a member; what is not carried yet waits until somebody tries again.',
  },
  example: (newId) => ({ crossingId: newId() }),
} as const satisfies ProcessContract<CrossInput, CrossOutcome>;
