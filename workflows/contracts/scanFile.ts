import type { ProcessContract, TenantInput } from './process.js';

export interface ScanFileInput extends TenantInput {
  fileId: string;
}

/** `removed`: the file was discarded before the scanner answered. */
export type ScanFileOutcome = 'clean' | 'infected' | 'removed';

/** Scans a file from an unauthenticated sender; nobody can read it until then. */
export const scanFile = {
  name: 'scanFile',
  kind: 'file_scan',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ fileId }) => `file-scan/${fileId}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'many',
  seenBy: 'organization',
  subject: { type: 'stored_file', id: 'fileId' },
  chapterId: () => null,
  summary: 'Have a file checked before anybody reads it',
  expectedMinutes: 5,
  money: 'never',
  stages: { checking: 'The file is held until the scanner has called it clean.' },
  ends: {
    clean: 'The file is clean, and can be read.',
    infected: 'The file is infected: nobody has read it, and it is removed.',
    removed: 'The file was given up before it was checked.',
  },
  steps: { scanStoredFile: 'the scanner to look at the file' },
  sleepsUntil: null,
  failures: {
    ScannerUnavailable: {
      code: 'scanner_unavailable',
      detail: 'The scanner does not say what the file is. It is asked again, and the file is held meanwhile.',
    },
    StorageUnavailable: {
      code: 'storage_unavailable',
      detail: 'The store of the file does not give it. It is asked again, and the file is held meanwhile.',
    },
  },
  cancel: {
    when: 'never',
    says: 'Nobody reads a file that was not checked: this goes on until the scanner has spoken.',
  },
  example: (newId) => ({ fileId: newId() }),
} as const satisfies ProcessContract<ScanFileInput, ScanFileOutcome>;
