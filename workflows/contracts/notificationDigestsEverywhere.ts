import type { ScheduledProcess } from './process.js';

/**
 * Starts the digests of every organization in which somebody receives one. Started by a Schedule; belongs to no
 * organization.
 */
export const notificationDigestsEverywhere = {
  name: 'notificationDigestsEverywhere',
  kind: 'digests_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // A run that is later than that is skipped: the next period begins where the last one ended.
  schedule: { id: 'notification-digests', calendars: [{ minute: 0, hour: 7 }], catchupWindow: '12 hours' },
  seenBy: 'platform',
  summary: 'Find organizations in which somebody wants a digest',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The digests of organizations are started.' },
  ends: { listed: 'Every organization in which somebody wants a digest has its run.' },
  steps: { listOrganizationsToDigest: 'the organizations to be listed in which somebody wants a digest' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Runs that were started go on; the next day comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
