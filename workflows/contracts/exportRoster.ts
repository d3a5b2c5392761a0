import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface ExportRosterInput extends TenantInput {
  exportId: string;
}

/**
 * How the export ended. `failed`: there are more members than the format can hold. `cancelled`: the process found its
 * row cancelled.
 */
export type ExportRosterOutcome = 'ready' | 'failed' | 'cancelled';

/** Writes a roster as a file. */
export const exportRoster = {
  ...bulkProcess,
  name: 'exportRoster',
  kind: 'roster_export',
  workflowId: ({ exportId }) => `roster-export/${exportId}`,
  subject: { type: 'roster_export', id: 'exportId' },
  summary: 'Write a roster as a file',
  expectedMinutes: 10,
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
  cancel: {
    ...cancelsRows,
    says: 'There will be no file. Parts already written are deleted.',
  },
  example: (newId) => ({ exportId: newId() }),
} as const satisfies ProcessContract<ExportRosterInput, ExportRosterOutcome>;
