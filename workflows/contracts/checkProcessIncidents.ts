import { type ScheduledProcess, scheduledProcess } from './process.js';

/**
 * Compares the list of stuck processes with Temporal and with pending rows. Started by a Schedule; belongs to no
 * organization.
 */
export const checkProcessIncidents = {
  ...scheduledProcess,
  name: 'checkProcessIncidents',
  kind: 'process_incident_check',
  taskQueue: 'core',
  priority: 2,
  // Every minute: after its recovery, a process leaves the list within 90 seconds.
  schedule: {
    id: 'process-incident-check',
    calendars: [{ minute: '*', hour: '*' }],
    catchupWindow: '1 minute',
  },
  summary: 'Compare the list of stuck processes with Temporal',
  expectedMinutes: 15,
  stages: { comparing: 'Recovered processes leave the list of stuck processes, and newly stuck ones are added.' },
  ends: { compared: 'The list of stuck processes is up to date.' },
  steps: {
    reviewIncidents: 'the processes on the list to be compared with Temporal',
    findAgedProcesses: 'Temporal to list processes that run longer than expected',
    findLostProcesses: 'the next pending rows to be checked',
    notifyOfStuckPayments: 'the database to notify administrators of stuck payments',
  },
  cancel: { when: 'never', says: 'The check changes only the list of stuck processes, and runs again every minute.' },
} as const satisfies ScheduledProcess<'compared'>;
