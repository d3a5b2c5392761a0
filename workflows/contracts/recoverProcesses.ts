import type { ScheduledProcess } from './process.js';

/** Restarts processes that rows wait for and that do not run. Started by a Schedule; belongs to no organization. */
export const recoverProcesses = {
  name: 'recoverProcesses',
  kind: 'process_recovery',
  taskQueue: 'core',
  priority: 2,
  // A person may be waiting for a payment; one pass over waiting rows costs a few milliseconds.
  schedule: {
    id: 'recover-processes',
    calendars: [{ minute: { start: 0, end: 59, step: 3 }, hour: '*' }],
    catchupWindow: '1 hour',
  },
  seenBy: 'platform',
  summary: 'Start again what rows wait for and no process works on',
  expectedMinutes: 15,
  money: 'never',
  stages: { recovering: 'Rows that wait are looked at; what nobody works on is started again.' },
  ends: { recovered: 'Every row that waited was looked at.' },
  steps: { recoverNextPage: 'the next rows that wait to be looked at' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was started again goes on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'recovered'>;
