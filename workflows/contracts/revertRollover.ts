import type { ProcessContract } from './process.js';
import type { RolloverInput } from './rollOver.js';

/** Takes a rollover back: who has not changed since is again what they were. */
export const revertRollover = {
  name: 'revertRollover',
  kind: 'rollover_revert',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ rolloverId }) => `rollover-revert/${rolloverId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'rollover', id: 'rolloverId' },
  chapterId: () => null,
  summary: 'Take a rollover back',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    returning: 'Members get their status back, a page of them at a time.',
    finishing: 'Everybody is done; the rollover is closed.',
  },
  ends: { reverted: 'Everybody has the status of before, or is kept with the reason on record.' },
  steps: {
    returnMembers: 'the next members to get their status back',
    finishRevert: 'the rollover to be closed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: { when: 'never', says: 'A rollover is not left taken back in part: it goes on to its end.' },
  example: (newId) => ({ rolloverId: newId() }),
} as const satisfies ProcessContract<RolloverInput, 'reverted'>;
