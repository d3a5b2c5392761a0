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
  // A second run creates missing digests and mails unmailed ones.
  livesAgain: true,
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Make and mail the digests of one organization',
  expectedMinutes: null,
  money: 'never',
  stages: {
    making: 'Digests are made, page by page.',
    mailing: 'They are mailed, a few at a time.',
    waiting: 'Quiet hours or a mail server let some of them wait.',
  },
  ends: { mailed: 'Every digest is mailed, or has its reason why it is not.' },
  steps: {
    makeNextDigests: 'the next digests to be made',
    mailNextDigests: 'the mail server to take the digests that are due',
  },
  sleepsUntil: 'the next digest to be due',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Digests that are made stay, and are read in the app; those that are not mailed go out with the run of the next day.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<NotificationDigestsInput, 'mailed'>;
