import type { PersonInput, ProcessContract } from './process.js';

export interface DeleteAccountInput extends PersonInput {
  deletionId: string;
}

/** How it ended; `refused`: an organization or the platform would have been left without an admin. */
export type AccountDeletionOutcome = 'erased' | 'cancelled' | 'refused';

/** Signal: the person withdraws the deletion. */
export const UNDO = 'undo';

/** Waits out the withdrawal period, then erases a person. */
export const deleteAccount = {
  name: 'deleteAccount',
  kind: 'account_deletion',
  taskQueue: 'core',
  priority: 4,
  workflowId: ({ deletionId }) => `account-deletion/${deletionId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'account_deletion', id: 'deletionId' },
  chapterId: () => null,
  summary: 'Delete an account after seven days',
  // Seven days of withdrawal period, and a day for the erasure.
  expectedMinutes: 8 * 24 * 60,
  money: 'never',
  stages: {
    waiting: 'The seven days pass in which its person can undo it.',
    erasing: 'The account is closed; the organizations are gone through one by one.',
    'taking leave': 'The last mail goes out, for which the address is still needed.',
  },
  ends: {
    erased: 'The personal data is erased.',
    cancelled: 'Its person wants to stay: nothing was erased.',
    refused: 'An organization or the platform would have been left without an admin: nothing was erased.',
  },
  steps: {
    secondsToErasure: 'the database to tell when it is time',
    beginErasure: 'the account to be closed',
    eraseInOrganizations: 'the next organization to be gone through, or to get another admin',
    farewellIsClosed: 'the last mail to be out',
    erasePerson: 'the personal data to be erased',
  },
  sleepsUntil: 'the seven days to pass in which it can be undone, or the last mail to be out',
  failures: {},
  cancel: { when: 'never', says: 'The person undoes it themselves, within seven days.' },
  example: (newId) => ({ deletionId: newId() }),
} as const satisfies ProcessContract<DeleteAccountInput, AccountDeletionOutcome>;
