import type { ProcessContract, TenantInput } from './process.js';

export interface NotificationDigestsInput extends TenantInput {
  /** YYYY-MM-DD: periods end at 07:00 UTC of this day. */
  day: string;
}

/** Creates one organization's digests of a day, and mails them. */
export const notificationDigests = {
  name: 'notificationDigests',
  kind: 'notification_digests',
  taskQueue: 'bulk',
  priority: 4,
  workflowId: ({ organizationId, day }) => `digests/${organizationId}/${day}`,
  // A second run creates missing digests and mails digests that are not mailed yet.
  allowRestart: true,
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Create and mail the digests of one organization',
  expectedMinutes: null,
  money: 'never',
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
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: "Digests already created stay and can be read in the app. Digests not mailed yet are mailed with the next day's run.",
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<NotificationDigestsInput, 'mailed'>;
