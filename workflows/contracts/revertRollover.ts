import type { ProcessContract } from './process.js';
import type { RolloverInput } from './rollOver.js';

export type RevertRolloverOutcome = 'reverted' | 'stopped_right_lost';

/** Reverts a rollover: members who have not changed since get their previous status back. */
export const revertRollover = {
  name: 'revertRollover',
  kind: 'rollover_revert',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ rolloverId }) => `rollover-revert/${rolloverId}`,
  // Another administrator goes on with one that stopped.
  livesAgain: true,
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
  ends: {
    reverted: 'Everybody has the status of before, or is kept with the reason on record.',
    stopped_right_lost:
      'Who asked for it lost the right to it: who was returned stays so, and another administrator goes on with the others.',
  },
  steps: {
    returnMembers: 'the next members to get their status back',
    finishRevert: 'the rollover to be closed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: { when: 'never', says: 'It is not cancelled halfway: it goes on to its end.' },
  example: (newId) => ({ rolloverId: newId() }),
} as const satisfies ProcessContract<RolloverInput, RevertRolloverOutcome>;
