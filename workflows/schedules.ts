/** Every Temporal Schedule, as data; the worker brings the server in line with it when it starts. */
import { checkSamlConnections } from './contracts/checkSamlConnections.js';
import { markOverdueEverywhere } from './contracts/markOverdueEverywhere.js';
import type { ProcessFacts } from './contracts/process.js';
import { recoverProcesses } from './contracts/recoverProcesses.js';

export interface ScheduleDefinition {
  id: string;
  /** What each run starts. */
  process: ProcessFacts;
  /** Minute of each hour, or every so many minutes; or of the one hour of the day (UTC) that is named. */
  minute: number | { start: 0; end: 59; step: number };
  hour?: number;
  /** How late a run may still be made up for, after an outage. */
  catchupWindow: '1 hour' | '1 day';
}

export const SCHEDULES: ScheduleDefinition[] = [
  {
    id: 'mark-overdue',
    process: markOverdueEverywhere,
    // Every hour it is midnight somewhere. The database decides who has a new day, so that one run makes up for all missed.
    minute: 5,
    catchupWindow: '1 hour',
  },
  {
    id: 'recover-processes',
    process: recoverProcesses,
    // Somebody waits for a payment; a look at rows that wait costs a few milliseconds.
    minute: { start: 0, end: 59, step: 3 },
    catchupWindow: '1 hour',
  },
  // Once a day, while universities sleep.
  { id: 'check-saml', process: checkSamlConnections, hour: 3, minute: 35, catchupWindow: '1 day' },
];
