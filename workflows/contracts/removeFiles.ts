import type { ScheduledProcess } from './process.js';

/**
 * Removes discarded and incompletely uploaded files from the store, and erases import lines that created nobody and
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
  summary: 'Take files out of the store that were given up, and erase lines and applications that came to nothing',
  expectedMinutes: 10,
  money: 'never',
  stages: {
    removing:
      'What was given up is taken out of the store, and lines and applications that came to nothing are erased, a batch at a time.',
  },
  ends: { removed: 'Nothing is left that was given up.' },
  steps: { removeNextFiles: 'the next lines and applications to be erased, and the store to remove the next files' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was removed is gone; the next run of the schedule removes the rest.',
  },
} as const satisfies ScheduledProcess<'removed'>;
