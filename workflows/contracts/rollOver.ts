import type { ProcessContract, TenantInput } from './process.js';

export interface RolloverInput extends TenantInput {
  rolloverId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type RollOverOutcome = 'moved' | 'cancelled' | 'stopped_right_lost';

/** Makes the graduates of a rollover alumni, one batch at a time. */
export const rollOver = {
  name: 'rollOver',
  kind: 'rollover',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ rolloverId }) => `rollover/${rolloverId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'rollover', id: 'rolloverId' },
  chapterId: () => null,
  summary: 'Make the graduates of a rollover alumni',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    moving: 'Members become alumni, a page of them at a time.',
    finishing: 'Everybody is done; the rollover is closed.',
  },
  ends: {
    moved: 'Everybody whom the preview showed is moved, or skipped with the reason on record.',
    cancelled: 'The rollover was cancelled: who was moved stays so.',
    stopped_right_lost:
      'Who confirmed it lost the right to it: who was moved stays so, and the others stay as they are.',
  },
  steps: {
    moveMembers: 'the next members to be moved',
    finishRollover: 'the rollover to be closed',
    cancelRollover: 'the rollover to be closed where it stands',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'Who was moved stays so, and can be taken back; the others stay as they are.',
  },
  example: (newId) => ({ rolloverId: newId() }),
} as const satisfies ProcessContract<RolloverInput, RollOverOutcome>;
