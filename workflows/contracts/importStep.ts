import type { ProcessContract, TenantInput } from './process.js';

/** Steps of an import that a process runs; between them the import waits for people. */
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
  name: 'importStep',
  kind: 'import',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ importId, step, run }) => `import/${importId}/${step}/${run}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'bulk_import', id: 'importId' },
  chapterId: () => null,
  summary: 'Take an import one step further',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    reading: 'The lines of the file are read.',
    working: 'Lines are previewed, made, taken back or mailed, a page of them at a time.',
    finishing: 'Every line is done; the step is closed.',
  },
  ends: {
    done: 'The step is done, or the import was cancelled: its row says which.',
    stopped_right_lost: 'Who asked for the step lost the right to it: lines that are done stay so, and the rest waits.',
  },
  steps: {
    readImport: 'the lines of the file to be read',
    takeLines: 'the next lines to be done',
    finishImportStep: 'the step to be closed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: { when: 'never', says: 'The import itself is cancelled: it ends between two pages, and what is done stays.' },
  example: (newId) => ({ importId: newId(), step: 'process', run: '1' }),
} as const satisfies ProcessContract<ImportStepInput, ImportStepOutcome>;
