import { MAIL_FAILURES } from './failures.js';
import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface FoundationBulletinInput extends TenantInput {
  bulletinId: string;
  /** Number of the round. A later round replaces it. */
  round: string;
}

export type FoundationBulletinOutcome = 'sent' | 'stopped' | 'held';

/** Waits until a bulletin of the foundation is due, and mails it to its audience. */
export const foundationBulletin = {
  ...bulkProcess,
  name: 'foundationBulletin',
  kind: 'foundation_bulletin',
  workflowId: ({ bulletinId, round }) => `foundation-bulletin/${bulletinId}/${round}`,
  seenBy: 'foundation',
  subject: { type: 'foundation_bulletin', id: 'bulletinId' },
  summary: 'Mail a bulletin of the foundation',
  // A bulletin may be scheduled a year ahead.
  expectedMinutes: null,
  stages: {
    waiting: 'The bulletin waits until it is due.',
    sending: 'The bulletin is being mailed, at most ten mails at a time.',
  },
  ends: {
    sent: 'Every recipient has an outcome.',
    stopped: 'The bulletin was stopped or unscheduled, or a later round goes on with it. Mails that went out stay.',
    held: 'The bulletin is on hold, because it was more than 12 hours late, stood still for 12 hours, or its admin lost the role. An admin of the foundation decides.',
  },
  steps: {
    mailNextRecipients: 'the mail server to accept the next mails',
    stopBulletinMails: 'the bulletin to be stopped',
  },
  sleepsUntil: 'the time for which the bulletin is scheduled',
  failures: MAIL_FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'stopped',
    says: 'A scheduled bulletin becomes a draft again. One that is being sent is stopped; mails that went out stay.',
  },
  example: (newId) => ({ bulletinId: newId(), round: '1' }),
} as const satisfies ProcessContract<FoundationBulletinInput, FoundationBulletinOutcome>;
