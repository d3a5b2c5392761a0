import type { ScheduledProcess } from './process.js';

/**
 * Starts membership changes for every organization that has some due by its own date. Started by a Schedule; belongs
 * to no organization.
 */
export const membershipChangesEverywhere = {
  name: 'membershipChangesEverywhere',
  kind: 'membership_changes_schedule',
  taskQueue: 'bulk',
  priority: 3,
  // Hourly: it is midnight in some zone; one run makes up for all missed ones.
  schedule: { id: 'membership-changes', calendars: [{ minute: 2, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations in which the day of a change, a term of office or a notice of one has come',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The changes of organizations that have some due are started.' },
  ends: { listed: 'Every organization that has changes due has its process.' },
  steps: { listOrganizationsWithChanges: 'the organizations to be listed that have changes due' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was started goes on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
