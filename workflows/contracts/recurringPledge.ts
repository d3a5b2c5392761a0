import { MAIL_FAILURES, PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface RecurringPledgeInput extends TenantInput {
  pledgeId: string;
}

/** Signal: the pledge or one of its periods has changed. */
export const PLEDGE_CHANGED = 'changed';

/** Follows a pledge until it is cancelled. It decides nothing: the row says when it is due, and the timer only wakes it. */
export const recurringPledge = {
  ...tenantProcess,
  name: 'recurringPledge',
  kind: 'recurring_pledge',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ pledgeId }) => `pledge/${pledgeId}`,
  allowRestart: true,
  waitingRows: 'many',
  seenBy: 'foundation',
  subject: { type: 'recurring_pledge', id: 'pledgeId' },
  summary: 'Charge a pledge in each period',
  expectedMinutes: null,
  money: 'by_rows',
  stages: {
    waiting: 'The next period is not due yet.',
    charging: 'A period is being charged.',
    past_due: 'The last charge was declined or missed. The donor was told how to pay with another card.',
    paused: 'The pledge is not charged until it is resumed.',
  },
  ends: { cancelled: 'The pledge is cancelled, and the provider has deleted the card.' },
  steps: {
    followPledge: 'the pledge to be checked',
    mailPledgeNotices: 'the donor to be mailed',
    forgetPledgeCards: 'the payment provider to delete a card',
  },
  sleepsUntil: 'the next period to be due, its charge to end, or the pledge to change',
  failures: { ...PROVIDER_FAILURES, ...MAIL_FAILURES },
  cancel: { when: 'never', says: 'Pause or cancel the pledge instead.' },
  example: (newId) => ({ pledgeId: newId() }),
} as const satisfies ProcessContract<RecurringPledgeInput, 'cancelled'>;
