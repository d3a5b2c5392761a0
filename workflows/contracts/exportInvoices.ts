import type { ProcessContract, TenantInput } from './process.js';

export interface ExportInvoicesInput extends TenantInput {
  exportId: string;
}

/** `failed`: a worksheet cannot hold so many invoices. `cancelled`: its row was cancelled before its process was. */
export type ExportInvoicesOutcome = 'ready' | 'failed' | 'cancelled';

/** Signal: write the export again. */
export const EXPORT_RETRIED = 'retried';

/** Writes invoices as a workbook. */
export const exportInvoices = {
  name: 'exportInvoices',
  kind: 'invoice_export',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ exportId }) => `invoice-export/${exportId}`,
  // A retry writes another file.
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'invoice_export', id: 'exportId' },
  chapterId: () => null,
  summary: 'Write invoices as a workbook',
  expectedMinutes: 10,
  money: 'never',
  stages: {
    writing:
      'Invoices are counted, read a page at a time, and written to the store; the file is shown once it is whole.',
  },
  ends: {
    ready: 'The file is in the store, for seven days.',
    failed: 'A worksheet does not hold so many invoices.',
    cancelled: 'The export was cancelled: there is no file.',
  },
  steps: {
    writeInvoices: 'the store to take the workbook',
    cancelInvoiceExport: 'the export to be closed',
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
} as const satisfies ProcessContract<ExportInvoicesInput, ExportInvoicesOutcome>;
