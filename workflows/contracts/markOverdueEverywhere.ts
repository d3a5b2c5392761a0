import type { ProcessFacts } from './process.js';

/** Starts the marking of every organization that has something to mark. Started by a Schedule, for no organization. */
export const markOverdueEverywhere: ProcessFacts = {
  name: 'markOverdueEverywhere',
  kind: 'overdue_schedule',
  taskQueue: 'bulk',
  summary: 'Find organizations with past-due invoices by their own date',
  priority: 4,
  expectedMinutes: 30,
  steps: { listOrganizationsToMark: 'the organizations to be listed that have past-due invoices' },
  cancel: {
    when: 'any_time',
    says: 'Markings that were started go on; the next run of the schedule comes to the others.',
  },
};
