import type { ProcessContract, TenantInput } from './process.js';

export interface ExportRosterInput extends TenantInput {
  exportId: string;
}

/** `failed`: the format cannot hold so many members. `cancelled`: the row was cancelled before the process. */
export type ExportRosterOutcome = 'ready' | 'failed' | 'cancelled';

/** Writes a roster as a file. */
export const exportRoster = {
  name: 'exportRoster',
  kind: 'roster_export',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ exportId }) => `roster-export/${exportId}`,
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'roster_export', id: 'exportId' },
  chapterId: () => null,
  summary: 'Write a roster as a file',
  expectedMinutes: 10,
  money: 'never',
  stages: { writing: 'Members are being read in batches and written to storage.' },
  ends: {
    ready: 'The file is stored for three days.',
    failed: 'The format cannot hold so many members.',
    cancelled: 'The export was cancelled. There is no file.',
  },
  steps: {
    writeRoster: 'the storage to accept the roster',
    cancelRosterExport: 'the export to be closed',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'cancelled',
    says: 'There will be no file. Parts already written are deleted.',
  },
  example: (newId) => ({ exportId: newId() }),
} as const satisfies ProcessContract<ExportRosterInput, ExportRosterOutcome>;
