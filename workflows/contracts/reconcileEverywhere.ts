import type { ScheduledProcess } from './process.js';

/** Starts the comparison of every payment provider account. Started by a Schedule; belongs to no organization. */
export const reconcileEverywhere = {
  name: 'reconcileEverywhere',
  kind: 'reconciliation_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Once a day, at a quiet hour. Three days are compared, so that one run makes up for two missed ones.
  schedule: { id: 'reconcile', calendars: [{ minute: 50, hour: 4 }], catchupWindow: '1 day' },
  seenBy: 'platform',
  summary: 'Find accounts at payment providers that are to be compared with the books',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The comparison of each account is started.' },
  ends: { listed: 'Every account has its comparison.' },
  steps: { listProcessorsToReconcile: 'the accounts to be listed' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Comparisons that were started go on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
