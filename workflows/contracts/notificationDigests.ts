import {
  dailyProcess,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface NotificationDigestsInput extends TenantInput {
  /** Day of the digests, YYYY-MM-DD: their periods end at 07:00 UTC of this day. */
  day: string;
}

/** Creates one organization's digests of a day, and mails them. */
export const notificationDigests = {
  ...dailyProcess,
  name: 'notificationDigests',
  kind: 'notification_digests',
  workflowId: ({ organizationId, day }) => `digests/${organizationId}/${day}`,
  // A second run creates missing digests and mails digests that are not mailed yet.
  allowRestart: true,
  summary: 'Create and mail the digests of one organization',
  expectedMinutes: null,
  stages: {
    making: 'Digests are being created in batches.',
    mailing: 'Digests are being mailed, a few at a time.',
    waiting: 'Some digests wait for quiet hours to end, or for the mail server.',
  },
  ends: { mailed: 'Every digest is mailed, or the reason why not is recorded.' },
  steps: {
    makeNextDigests: 'the next digests to be created',
    mailNextDigests: 'the mail server to accept the due digests',
  },
  sleepsUntil: 'the next digest to be due',
  cancel: {
    ...keepsRows,
    says: "Digests already created stay and can be read in the app. Digests not mailed yet are mailed with the next day's run.",
  },
} as const satisfies ProcessContract<NotificationDigestsInput, 'mailed'>;

/**
 * Starts the digests of every organization in which at least one person receives one. Started by a Schedule; belongs to
 * no organization.
 */
export const notificationDigestsEverywhere = {
  ...scheduledProcess,
  name: 'notificationDigestsEverywhere',
  kind: 'digests_schedule',
  // A run that would be more than twelve hours late is skipped. Nothing is lost, because the period of the next digest
  // begins where the last one ended.
  schedule: { id: 'notification-digests', calendars: [{ minute: 0, hour: 7 }], catchupWindow: '12 hours' },
  summary: 'Find organizations with digest subscribers',
  stages: { listing: 'Digests are being started for each organization.' },
  ends: { listed: 'The digests of every organization with digest subscribers are started.' },
  steps: { listOrganizationsToDigest: 'the list of organizations with digest subscribers' },
  cancel: {
    ...keepsRows,
    says: "Processes already started continue. The next day's run starts the others.",
  },
} as const satisfies ScheduledProcess<'listed'>;
