import { cancelsRows, type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface ReferenceLetterInput extends TenantInput {
  letterId: string;
}

export type ReferenceLetterOutcome = 'submitted' | 'declined' | 'expired' | 'cancelled' | 'undeliverable';

/** Requests a reference letter by mail, sends reminders, and expires the request when its time is over. */
export const referenceLetter = {
  ...tenantProcess,
  name: 'referenceLetter',
  kind: 'reference_letter',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ letterId }) => `reference-letter/${letterId}`,
  allowRestart: true,
  subject: { type: 'reference_letter', id: 'letterId' },
  summary: 'Request a reference letter and wait for it',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The referee has a link and is reminded after 7 and 14 days.',
  },
  ends: {
    submitted: 'The letter was submitted.',
    declined: 'The referee declined.',
    expired: 'The letter was not submitted in time.',
    cancelled: 'The request was cancelled.',
    undeliverable: 'The mail server rejects the address of the referee.',
  },
  steps: { followReferenceLetter: 'the letter to be checked, and its referee to be mailed' },
  sleepsUntil: 'the next reminder, or the expiry of the request',
  cancel: {
    ...cancelsRows,
    says: 'The request is cancelled, and its links show this. Request another letter if needed.',
  },
  example: (newId) => ({ letterId: newId() }),
} as const satisfies ProcessContract<ReferenceLetterInput, ReferenceLetterOutcome>;
