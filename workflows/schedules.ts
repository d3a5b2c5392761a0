/** Every Temporal Schedule, as data; the worker brings the server in line with it when it starts. */
import { markOverdueEverywhere } from './contracts/markOverdueEverywhere.js';
import type { ProcessFacts } from './contracts/process.js';

export interface ScheduleDefinition {
  id: string;
  /** What each run starts. */
  process: ProcessFacts;
  /** Minute of each hour. */
  minute: number;
  /** How late a run may still be made up for, after an outage. */
  catchupWindow: '1 hour';
}

export const SCHEDULES: ScheduleDefinition[] = [
  {
    id: 'mark-overdue',
    process: markOverdueEverywhere,
    // Every hour it is midnight somewhere. The database decides who has a new day, so that one run makes up for all missed.
    minute: 5,
    catchupWindow: '1 hour',
  },
];
