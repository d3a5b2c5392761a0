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
  summary: 'Delete old records of pushes and old notifications',
  expectedMinutes: 60,
  money: 'never',
  stages: { pruning: 'What is older than it is kept for is deleted, a batch at a time.' },
  ends: { pruned: 'Nothing is older than it is kept for.' },
  steps: { pruneNextBatch: 'the database to delete the next batch' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was deleted is gone; the next run of the schedule deletes the rest.',
  },
} as const satisfies ScheduledProcess<'pruned'>;
