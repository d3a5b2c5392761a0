import { keepsRows, type ScheduledProcess, scheduledProcess } from './process.js';

/**
 * Restarts processes that do not run although rows are pending for them. Started by a Schedule; belongs to no
 * organization.
 */
export const recoverProcesses = {
  ...scheduledProcess,
  name: 'recoverProcesses',
  kind: 'process_recovery',
  taskQueue: 'core',
  priority: 2,
  // Every three minutes, because a person may be waiting for a payment. One pass over the pending rows costs a few
  // milliseconds.
  schedule: {
    id: 'recover-processes',
    calendars: [{ minute: { start: 0, end: 59, step: 3 }, hour: '*' }],
    catchupWindow: '1 hour',
  },
  summary: 'Restart lost processes of pending rows',
  expectedMinutes: 15,
  stages: { recovering: 'Pending rows are being checked. Their missing processes are restarted.' },
  ends: { recovered: 'Every pending row was checked.' },
  steps: { recoverNextPage: 'the next pending rows to be checked' },
  cancel: {
    ...keepsRows,
    says: 'Processes already restarted continue. The next scheduled run checks the other rows.',
  },
} as const satisfies ScheduledProcess<'recovered'>;
