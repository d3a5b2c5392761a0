/** Every Temporal Schedule, as data; the worker brings the server in line with it when it starts. */
import type { TaskQueue } from './contracts/process.js';

export interface ScheduleDefinition {
  id: string;
  /** The name of the workflow that each run starts. */
  workflow: string;
  /** What operators filter by. */
  kind: string;
  taskQueue: TaskQueue;
  /** Minute of each hour. */
  minute: number;
  /** How late a run may still be made up for, after an outage. */
  catchupWindow: '1 hour';
  summary: string;
}

export const SCHEDULES: ScheduleDefinition[] = [
  {
    id: 'mark-overdue',
    workflow: 'markOverdueEverywhere',
    kind: 'overdue_schedule',
    taskQueue: 'bulk',
    // Every hour it is midnight somewhere. The database decides who has a new day, so that one run makes up for all missed.
    minute: 5,
    catchupWindow: '1 hour',
    summary: 'Find organizations with past-due invoices by their own date',
  },
];
