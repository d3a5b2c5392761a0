import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface ScanFileInput extends TenantInput {
  fileId: string;
}

/** `removed`: the file was discarded before the scanner answered. */
export type ScanFileOutcome = 'clean' | 'infected' | 'removed';

/** Scans a file from an unauthenticated sender. The file cannot be read before the scan. */
export const scanFile = {
  ...bulkProcess,
  name: 'scanFile',
  kind: 'file_scan',
  workflowId: ({ fileId }) => `file-scan/${fileId}`,
  allowRestart: true,
  waitingRows: 'many',
  subject: { type: 'stored_file', id: 'fileId' },
  summary: 'Scan a file before it can be read',
  expectedMinutes: 5,
  stages: { checking: 'The file is quarantined until the scanner declares it clean.' },
  ends: {
    clean: 'The file is clean and can be read.',
    infected: 'The file is infected. It was never readable and is deleted.',
    removed: 'The file was discarded before it was scanned.',
  },
  steps: { scanStoredFile: 'the scanner to scan the file' },
  failures: {
    ScannerUnavailable: {
      code: 'scanner_unavailable',
      detail: 'The scanner did not return a result. The scan is retried; until then the file stays quarantined.',
    },
    StorageUnavailable: {
      code: 'storage_unavailable',
      detail: 'The file could not be read from storage. The scan is retried; until then the file stays quarantined.',
    },
  },
  cancel: {
    when: 'never',
    says: 'A file cannot be read before it is scanned, so the process runs until the scanner returns a result.',
  },
  example: (newId) => ({ fileId: newId() }),
} as const satisfies ProcessContract<ScanFileInput, ScanFileOutcome>;
