import { keepsRows, type ScheduledProcess, scheduledProcess } from './process.js';

/**
 * Deletes discarded and incompletely uploaded files from storage, and erases import lines that created no person,
 * abandoned applications, and expired links and sessions of donors. Started by a Schedule; belongs to no organization.
 */
export const removeFiles = {
  ...scheduledProcess,
  name: 'removeFiles',
  kind: 'remove_files',
  priority: 5,
  schedule: {
    id: 'remove-files',
    calendars: [{ minute: 40, hour: '*' }],
    catchupWindow: '1 minute',
  },
  summary:
    'Delete discarded files, unused import lines, abandoned applications, expired sign-ins of donors and deleted forum texts',
  expectedMinutes: 10,
  stages: {
    removing:
      'Discarded files, unused import lines, abandoned applications, expired sign-ins of donors and deleted forum texts are being deleted in batches.',
  },
  ends: { removed: 'All discarded data is deleted.' },
  steps: { removeNextFiles: 'the next lines and applications to be erased, and the storage to delete the next files' },
  cancel: {
    ...keepsRows,
    says: 'Deleted data stays deleted. The next scheduled run deletes the rest.',
  },
} as const satisfies ScheduledProcess<'removed'>;
