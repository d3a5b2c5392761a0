/** Every Temporal Schedule, as its contract declares it. The worker updates the server's schedules when it starts. */
import { SCHEDULED } from './contracts/index.js';
import type { ProcessFacts, Schedule } from './contracts/process.js';

export interface ScheduleDefinition extends Schedule {
  /** The process that each run starts. */
  process: ProcessFacts;
}

export const SCHEDULES: readonly ScheduleDefinition[] = SCHEDULED.map((process) => ({ ...process.schedule, process }));
