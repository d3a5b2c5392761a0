import { keepsRows, type ScheduledProcess, scheduledProcess } from './process.js';

/** Deletes old push records and notifications. Started by a Schedule; belongs to no organization. */
export const pushPrune = {
  ...scheduledProcess,
  name: 'pushPrune',
  kind: 'push_prune',
  priority: 5,
  schedule: {
    id: 'push-prune',
    calendars: [{ dayOfWeek: 'SUNDAY', hour: 6, minute: 30 }],
    catchupWindow: '1 day',
  },
  summary: 'Delete old push records and notifications',
  expectedMinutes: 60,
  stages: { pruning: 'Expired records are being deleted in batches.' },
  ends: { pruned: 'All expired records are deleted.' },
  steps: { pruneNextBatch: 'the database to delete the next batch' },
  cancel: {
    ...keepsRows,
    says: 'Deleted records stay deleted. The next scheduled run deletes the rest.',
  },
} as const satisfies ScheduledProcess<'pruned'>;
