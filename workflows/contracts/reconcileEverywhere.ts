import type { ScheduledProcess } from './process.js';

/** Starts the comparison of every payment provider account. Started by a Schedule; belongs to no organization. */
export const reconcileEverywhere = {
  name: 'reconcileEverywhere',
  kind: 'reconciliation_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Once a day, at a time with little traffic. Three days are compared, so that one run makes up for two missed runs.
  schedule: { id: 'reconcile', calendars: [{ minute: 50, hour: 4 }], catchupWindow: '1 day' },
  seenBy: 'platform',
  summary: 'Find payment provider accounts to compare with the books',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The comparison of each account is being started.' },
  ends: { listed: 'The comparison of every account is started.' },
  steps: { listProcessorsToReconcile: 'the list of accounts' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Comparisons already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
