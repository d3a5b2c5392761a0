import type { ProcessContract, TenantInput } from './process.js';

export interface StorageMigrationInput extends TenantInput {
  migrationId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type StorageMigrationOutcome =
  | 'completed'
  | 'completed_with_missing'
  | 'failed'
  | 'cancelled'
  | 'stopped_right_lost';

/** Moves an organization's files to another store. */
export const storageMigration = {
  name: 'storageMigration',
  kind: 'storage_migration',
  taskQueue: 'bulk',
  priority: 5,
  workflowId: ({ migrationId }) => `storage-migration/${migrationId}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'storage_migration', id: 'migrationId' },
  chapterId: () => null,
  summary: 'Move files to another store',
  expectedMinutes: null,
  money: 'never',
  stages: {
    copying: 'Files are written to the other store, compared, and read there from then on.',
    verifying: 'The migration checks whether all files have moved.',
    waiting_for_uploads: 'Uploads to the old store that began earlier have not finished.',
    waiting_for_removal: 'The sweep is removing a leftover object from the new store; its file is copied after that.',
  },
  ends: {
    completed: 'Every file is in the other store.',
    completed_with_missing: 'Every file that was there is in the other store; what was missing is on record.',
    failed: 'A store could not be reached for long. Tried again, it goes on where it stopped.',
    cancelled: 'The move was cancelled: each file is in the store that its row says.',
    stopped_right_lost: 'Who asked for it lost the right to it: each file is in the store that its row says.',
  },
  steps: {
    moveNextFiles: 'the stores to give and take the next files',
    settleStorageMigration: 'the move to be closed',
    failStorageMigration: 'the move to be closed as failed',
    stopStorageMigration: 'the move to be closed where it stands',
  },
  sleepsUntil: 'earlier uploads have finished and leftover objects are removed',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'What has gone stays there, and the rest stays where it was; all of it is read.',
  },
  example: (newId) => ({ migrationId: newId() }),
} as const satisfies ProcessContract<StorageMigrationInput, StorageMigrationOutcome>;
