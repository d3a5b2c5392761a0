import type { ScheduledProcess } from './process.js';

/** Deletes old push records and notifications. Started by a Schedule; belongs to no organization. */
export const pushPrune = {
  name: 'pushPrune',
  kind: 'push_prune',
  taskQueue: 'bulk',
  priority: 5,
  schedule: {
    id: 'push-prune',
    calendars: [{ dayOfWeek: 'SUNDAY', hour: 6, minute: 30 }],
    catchupWindow: '1 day',
  },
  seenBy: 'platform',
  summary: 'Delete old push records and notifications',
  expectedMinutes: 60,
  money: 'never',
  stages: { pruning: 'Expired records are being deleted in batches.' },
  ends: { pruned: 'All expired records are deleted.' },
  steps: { pruneNextBatch: 'the database to delete the next batch' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Deleted records stay deleted. The next scheduled run deletes the rest.',
  },
} as const satisfies ScheduledProcess<'pruned'>;
