import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface RolloverInput extends TenantInput {
  rolloverId: string;
}

/** How the rollover ended. `cancelled`: the process found its row cancelled. */
export type RollOverOutcome = 'moved' | 'cancelled' | 'stopped_right_lost';

/** Makes the graduates of a rollover alumni, one batch at a time. */
export const rollOver = {
  ...bulkProcess,
  name: 'rollOver',
  kind: 'rollover',
  workflowId: ({ rolloverId }) => `rollover/${rolloverId}`,
  subject: { type: 'rollover', id: 'rolloverId' },
  summary: 'Make the graduates of a rollover alumni',
  stages: {
    moving: 'Members are becoming alumni, in batches.',
    finishing: 'Every member is processed. The rollover is being closed.',
  },
  ends: {
    moved: 'Every member of the preview is moved, or skipped with a recorded reason.',
    cancelled: 'The rollover was cancelled. Members already moved stay moved.',
    stopped_right_lost:
      'The person who confirmed the rollover lost the right to it. Members already moved stay moved, and the others stay unchanged.',
  },
  steps: {
    moveMembers: 'the next members to be moved',
    finishRollover: 'the rollover to be closed',
    cancelRollover: 'the rollover to be closed as cancelled',
  },
  cancel: {
    ...cancelsRows,
    says: 'Members already moved stay moved, and can be reverted. The others stay unchanged.',
  },
  example: (newId) => ({ rolloverId: newId() }),
} as const satisfies ProcessContract<RolloverInput, RollOverOutcome>;
