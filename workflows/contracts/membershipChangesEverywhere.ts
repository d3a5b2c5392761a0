import type { ScheduledProcess } from './process.js';

/**
 * Starts membership changes for every organization that has due changes by its own date. Started by a Schedule; belongs
 * to no organization.
 */
export const membershipChangesEverywhere = {
  name: 'membershipChangesEverywhere',
  kind: 'membership_changes_schedule',
  taskQueue: 'bulk',
  priority: 3,
  // Hourly, because it is midnight in some time zone every hour. One run makes up for all missed runs.
  schedule: { id: 'membership-changes', calendars: [{ minute: 2, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations with due membership changes, terms of office or term notices',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'Membership changes are being started for organizations with due changes.' },
  ends: { listed: 'The process of every organization with due changes is started.' },
  steps: { listOrganizationsWithChanges: 'the list of organizations with due changes' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
