import type { ScheduledProcess } from './process.js';

/**
 * Starts the digests of every organization in which at least one person receives one. Started by a Schedule; belongs to
 * no organization.
 */
export const notificationDigestsEverywhere = {
  name: 'notificationDigestsEverywhere',
  kind: 'digests_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // A run that would be later than this is skipped: the next period begins where the last one ended.
  schedule: { id: 'notification-digests', calendars: [{ minute: 0, hour: 7 }], catchupWindow: '12 hours' },
  seenBy: 'platform',
  summary: 'Find organizations with digest subscribers',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'Digests are being started for each organization.' },
  ends: { listed: 'The digests of every organization with digest subscribers are started.' },
  steps: { listOrganizationsToDigest: 'the list of organizations with digest subscribers' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: "Processes already started continue. The next day's run starts the others.",
  },
} as const satisfies ScheduledProcess<'listed'>;
