import { MAIL_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface DonationReceiptInput extends TenantInput {
  receiptId: string;
}

/** How the process ended. `replaced`: the receipt stopped being valid before it was mailed. */
export type DonationReceiptOutcome = 'mailed' | 'undeliverable' | 'replaced' | 'cancelled';

/** Mails the receipt of a gift to the donor. */
export const donationReceipt = {
  name: 'donationReceipt',
  kind: 'donation_receipt',
  taskQueue: 'notify',
  priority: 2,
  workflowId: ({ receiptId }) => `donation-receipt/${receiptId}`,
  // A receipt can be mailed again.
  allowRestart: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'foundation',
  subject: { type: 'tax_receipt', id: 'receiptId' },
  chapterId: () => null,
  summary: 'Mail the receipt of a gift',
  expectedMinutes: 30,
  money: 'never',
  stages: { mailing: 'The receipt is being mailed.' },
  ends: {
    mailed: 'The mail server accepted the mail.',
    undeliverable: 'The mail server refuses the address, or accepted no mail to it for five days.',
    replaced: 'The receipt stopped being valid before it was mailed.',
    cancelled: 'The mail was cancelled. The receipt stays valid.',
  },
  steps: {
    mailDonationReceipt: 'the mail server to accept the receipt',
    cancelDonationReceipt: 'the mail to be closed as cancelled',
  },
  sleepsUntil: 'an earlier attempt to mail the receipt to expire',
  failures: MAIL_FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'cancelled',
    says: 'The receipt stays valid and is not mailed. It can be mailed again later.',
  },
  example: (newId) => ({ receiptId: newId() }),
} as const satisfies ProcessContract<DonationReceiptInput, DonationReceiptOutcome>;
