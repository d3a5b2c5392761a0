import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface StorageMigrationInput extends TenantInput {
  migrationId: string;
}

/** How the migration ended. `cancelled`: the process found its row cancelled. */
export type StorageMigrationOutcome =
  | 'completed'
  | 'completed_with_missing'
  | 'failed'
  | 'cancelled'
  | 'stopped_right_lost';

/** Moves an organization's files to another store. */
export const storageMigration = {
  ...bulkProcess,
  name: 'storageMigration',
  kind: 'storage_migration',
  priority: 5,
  workflowId: ({ migrationId }) => `storage-migration/${migrationId}`,
  allowRestart: true,
  subject: { type: 'storage_migration', id: 'migrationId' },
  summary: 'Move files to another store',
  expectedMinutes: null,
  stages: {
    copying: 'Files are being copied to the other store and verified. Each file is then read from there.',
    verifying: 'The migration checks whether all files have moved.',
    waiting_for_uploads: 'Uploads to the old store that began earlier have not finished.',
    waiting_for_removal: 'The sweep is removing a leftover object from the new store; its file is copied after that.',
  },
  ends: {
    completed: 'Every file is in the other store.',
    completed_with_missing: 'Every existing file is in the other store. Missing files are recorded.',
    failed: 'A store was unreachable for too long. A retry continues where the migration stopped.',
    cancelled: 'The migration was cancelled. Each file is in the store that its row names.',
    stopped_right_lost:
      'The person who requested the migration lost the right to it. Each file is in the store that its row names.',
  },
  steps: {
    moveNextFiles: 'the stores to copy the next files',
    settleStorageMigration: 'the migration to be closed',
    failStorageMigration: 'the migration to be closed as failed',
    stopStorageMigration: 'the migration to be closed as cancelled',
  },
  sleepsUntil: 'earlier uploads to finish and leftover objects to be deleted',
  cancel: {
    ...cancelsRows,
    says: 'Moved files stay in the new store, and the others stay in the old one. All of them can be read.',
  },
  example: (newId) => ({ migrationId: newId() }),
} as const satisfies ProcessContract<StorageMigrationInput, StorageMigrationOutcome>;
