import { bulkProcess, type ProcessContract } from './process.js';
import type { RolloverInput } from './rollOver.js';

export type RevertRolloverOutcome = 'reverted' | 'stopped_right_lost';

/** Reverts a rollover: members who have not been changed since the rollover get their previous status. */
export const revertRollover = {
  ...bulkProcess,
  name: 'revertRollover',
  kind: 'rollover_revert',
  workflowId: ({ rolloverId }) => `rollover-revert/${rolloverId}`,
  // Another administrator can continue a revert that stopped.
  allowRestart: true,
  subject: { type: 'rollover', id: 'rolloverId' },
  summary: 'Revert a rollover',
  stages: {
    returning: 'Members are getting their previous status, in batches.',
    finishing: 'Every member is processed. The rollover is being closed.',
  },
  ends: {
    reverted: 'Every member has the previous status, or was skipped with a recorded reason.',
    stopped_right_lost:
      'The person who requested the revert lost the right to it. Members already reverted stay so; another administrator can continue with the others.',
  },
  steps: {
    returnMembers: 'the next members to get their previous status',
    finishRevert: 'the rollover to be closed',
  },
  cancel: { when: 'never', says: 'A revert cannot be cancelled; it always runs to its end.' },
  example: (newId) => ({ rolloverId: newId() }),
} as const satisfies ProcessContract<RolloverInput, RevertRolloverOutcome>;
