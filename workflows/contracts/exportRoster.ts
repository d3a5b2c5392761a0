import type { ProcessContract, TenantInput } from './process.js';

export interface ExportRosterInput extends TenantInput {
  exportId: string;
}

/** `failed`: the format cannot hold so many members. `cancelled`: its row was cancelled before its process was. */
export type ExportRosterOutcome = 'ready' | 'failed' | 'cancelled';

/** Writes a roster as a file. */
export const exportRoster = {
  name: 'exportRoster',
  kind: 'roster_export',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ exportId }) => `roster-export/${exportId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'roster_export', id: 'exportId' },
  chapterId: () => null,
  summary: 'Write a roster as a file',
  expectedMinutes: 10,
  money: 'never',
  stages: { writing: 'Members are read a page at a time, and written to the store.' },
  ends: {
    ready: 'The file is in the store, for three days.',
    failed: 'The format does not hold so many members.',
    cancelled: 'The export was cancelled: there is no file.',
  },
  steps: {
    writeRoster: 'the store to take the roster',
    cancelRosterExport: 'the export to be closed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'There will be no file; what was written of it is swept.',
  },
  example: (newId) => ({ exportId: newId() }),
} as const satisfies ProcessContract<ExportRosterInput, ExportRosterOutcome>;
