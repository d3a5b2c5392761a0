import type { ProcessFacts } from './process.js';

/** Starts again what rows wait for and nobody works on. Started by a Schedule, for no organization. */
export const recoverProcesses: ProcessFacts = {
  name: 'recoverProcesses',
  kind: 'process_recovery',
  taskQueue: 'core',
  summary: 'Start again what rows wait for and no process works on',
  priority: 2,
  expectedMinutes: 15,
  steps: { recoverNextPage: 'the next rows that wait to be looked at' },
  cancel: {
    when: 'any_time',
    says: 'What was started again goes on; the next run of the schedule comes to the others.',
  },
};
