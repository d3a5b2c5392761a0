import type { ProcessContract, TenantInput } from './process.js';

export interface ReferenceLetterInput extends TenantInput {
  letterId: string;
}

export type ReferenceLetterOutcome = 'submitted' | 'declined' | 'expired' | 'cancelled' | 'undeliverable';

/** Requests a reference letter by mail, sends reminders, and gives up when the time is over. */
export const referenceLetter = {
  name: 'referenceLetter',
  kind: 'reference_letter',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ letterId }) => `reference-letter/${letterId}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'reference_letter', id: 'letterId' },
  chapterId: () => null,
  summary: 'Ask for a letter of reference, and wait for it',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The referee has a link, and is reminded after 7 and after 14 days.',
  },
  ends: {
    submitted: 'The letter has come.',
    declined: 'The referee will not write it.',
    expired: 'It did not come in time.',
    cancelled: 'Nobody waits for it any more.',
    undeliverable: 'The mail server of the referee takes no mail for that address.',
  },
  steps: { followReferenceLetter: 'the letter to be looked at, and its referee to be mailed' },
  sleepsUntil: 'the next reminder, or the end of the letter’s time',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'Nobody waits for the letter any more; its links say so. Ask again for another.',
  },
  example: (newId) => ({ letterId: newId() }),
} as const satisfies ProcessContract<ReferenceLetterInput, ReferenceLetterOutcome>;
