import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface ExportInvoicesInput extends TenantInput {
  exportId: string;
}

/**
 * How the export ended. `failed`: there are more invoices than a worksheet can hold. `cancelled`: the process found its
 * row cancelled.
 */
export type ExportInvoicesOutcome = 'ready' | 'failed' | 'cancelled';

/** Signal: write the export again. */
export const EXPORT_RETRIED = 'retried';

/** Writes invoices as a workbook. */
export const exportInvoices = {
  ...bulkProcess,
  name: 'exportInvoices',
  kind: 'invoice_export',
  workflowId: ({ exportId }) => `invoice-export/${exportId}`,
  // A retry of the export starts the process again, which writes a new file.
  allowRestart: true,
  subject: { type: 'invoice_export', id: 'exportId' },
  summary: 'Write invoices as a workbook',
  expectedMinutes: 10,
  stages: {
    writing: 'Invoices are being read in batches and written to storage. The file is available when it is complete.',
  },
  ends: {
    ready: 'The file is stored for seven days.',
    failed: 'A worksheet cannot hold so many invoices.',
    cancelled: 'The export was cancelled. There is no file.',
  },
  steps: {
    writeInvoices: 'the storage to accept the workbook',
    cancelInvoiceExport: 'the export to be closed',
  },
  cancel: {
    ...cancelsRows,
    says: 'There will be no file. Parts already written are deleted.',
  },
  example: (newId) => ({ exportId: newId() }),
} as const satisfies ProcessContract<ExportInvoicesInput, ExportInvoicesOutcome>;
