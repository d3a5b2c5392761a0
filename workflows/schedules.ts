/** Every Temporal Schedule, as its process's entry says it; the worker brings the server in line with them when it starts. */
import { SCHEDULED } from './contracts/index.js';
import type { ProcessFacts, Schedule } from './contracts/process.js';

export interface ScheduleDefinition extends Schedule {
  /** What each run starts. */
  process: ProcessFacts;
}

export const SCHEDULES: readonly ScheduleDefinition[] = SCHEDULED.map((process) => ({ ...process.schedule, process }));
