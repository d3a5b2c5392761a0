import type { PersonInput, ProcessContract } from './process.js';

export interface DeleteAccountInput extends PersonInput {
  deletionId: string;
}

/** How it ended; `refused`: an organization or the platform would have been left without an admin. */
export type AccountDeletionOutcome = 'erased' | 'cancelled' | 'refused';

/** Tells the process that the person wants to stay. */
export const UNDO = 'undo';

/** Waits for second thoughts, then erases a person. */
export const deleteAccount: ProcessContract<DeleteAccountInput> = {
  name: 'deleteAccount',
  kind: 'account_deletion',
  taskQueue: 'core',
  workflowId: ({ deletionId }) => `account-deletion/${deletionId}`,
  subject: { type: 'account_deletion', id: 'deletionId' },
  summary: 'Delete an account after seven days',
  priority: 4,
  // The seven days, and a day for what comes after.
  expectedMinutes: 8 * 24 * 60,
  steps: {
    secondsToErasure: 'the database to tell when it is time',
    beginErasure: 'the account to be closed',
    eraseInOrganizations: 'the next organization to be gone through, or to get another admin',
    farewellIsClosed: 'the last mail to be out',
    erasePerson: 'the personal data to be erased',
  },
  sleepsUntil: 'the seven days to pass in which it can be undone, or the last mail to be out',
  cancel: { when: 'never', says: 'The person undoes it themselves, within seven days.' },
};
