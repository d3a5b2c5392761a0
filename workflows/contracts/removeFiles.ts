import type { ScheduledProcess } from './process.js';

/**
 * Deletes discarded and incompletely uploaded files from storage, and erases import lines that created no person and
 * abandoned applications. Started by a Schedule; belongs to no organization.
 */
export const removeFiles = {
  name: 'removeFiles',
  kind: 'remove_files',
  taskQueue: 'bulk',
  priority: 5,
  schedule: {
    id: 'remove-files',
    calendars: [{ minute: 40, hour: '*' }],
    catchupWindow: '1 minute',
  },
  seenBy: 'platform',
  summary: 'Delete discarded files, unused import lines and abandoned applications',
  expectedMinutes: 10,
  money: 'never',
  stages: {
    removing: 'Discarded files, unused import lines and abandoned applications are being deleted in batches.',
  },
  ends: { removed: 'All discarded data is deleted.' },
  steps: { removeNextFiles: 'the next lines and applications to be erased, and the storage to delete the next files' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Deleted data stays deleted. The next scheduled run deletes the rest.',
  },
} as const satisfies ScheduledProcess<'removed'>;
