import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

/** Steps of an import that a process runs. Between them the import waits for a person. */
export const IMPORT_STEPS = ['read', 'preview', 'process', 'send_invitations', 'undo'] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

export type ImportStepOutcome = 'done' | 'stopped_right_lost';

export interface ImportStepInput extends TenantInput {
  importId: string;
  step: ImportStep;
  /** Number of the run: a preview runs again when the mapping changes, each run in its own process. */
  run: string;
}

/** Runs one step of an import, one batch of its lines at a time. */
export const importStep = {
  ...bulkProcess,
  name: 'importStep',
  kind: 'import',
  workflowId: ({ importId, step, run }) => `import/${importId}/${step}/${run}`,
  subject: { type: 'bulk_import', id: 'importId' },
  summary: 'Run one step of an import',
  stages: {
    reading: 'The lines of the file are being read.',
    working: 'Lines are being previewed, imported, undone or mailed, in batches.',
    finishing: 'Every line is processed. The step is being closed.',
  },
  ends: {
    done: 'The step is complete, or the import was cancelled. Its row says which.',
    stopped_right_lost:
      'The person who requested the step lost the right to it. Processed lines stay, and the remaining lines wait.',
  },
  steps: {
    readImport: 'the lines of the file to be read',
    takeLines: 'the next lines to be processed',
    finishImportStep: 'the step to be closed',
  },
  cancel: {
    when: 'never',
    says: 'Cancel the import itself instead. It ends after the current batch, and processed lines stay.',
  },
  example: (newId) => ({ importId: newId(), step: 'process', run: '1' }),
} as const satisfies ProcessContract<ImportStepInput, ImportStepOutcome>;
