import type { PersonInput, ProcessContract } from './process.js';

export interface DeleteAccountInput extends PersonInput {
  deletionId: string;
}

/** How the deletion ended; `refused`: an organization or the platform would have been left without an admin. */
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
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'account_deletion', id: 'deletionId' },
  chapterId: () => null,
  summary: 'Delete an account after seven days',
  // Seven days of withdrawal period plus one day for the erasure.
  expectedMinutes: 8 * 24 * 60,
  money: 'never',
  stages: {
    waiting: 'The person can withdraw the deletion for seven days.',
    erasing: 'The account is closed. Personal data is being erased in one organization after another.',
    'taking leave': 'The farewell mail is being sent; it still needs the address.',
  },
  ends: {
    erased: 'The personal data is erased.',
    cancelled: 'The person withdrew the deletion. Nothing was erased.',
    refused: 'An organization or the platform would have been left without an admin. Nothing was erased.',
  },
  steps: {
    secondsToErasure: 'the database to return the due time',
    beginErasure: 'the account to be closed',
    eraseInOrganizations: 'the next organization to be processed, or to get another admin',
    farewellIsClosed: 'the farewell mail to be sent',
    erasePerson: 'the personal data to be erased',
  },
  sleepsUntil: 'the seven-day withdrawal period to end, or the farewell mail to be sent',
  failures: {},
  cancel: { when: 'never', says: 'Only the person can withdraw the deletion, within seven days.' },
  example: (newId) => ({ deletionId: newId() }),
} as const satisfies ProcessContract<DeleteAccountInput, AccountDeletionOutcome>;
