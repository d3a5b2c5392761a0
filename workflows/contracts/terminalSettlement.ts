import type { ProcessContract, TenantInput } from './process.js';

export interface TerminalSettlementInput extends TenantInput {
  settlementId: string;
}

/** `kept`: the remainder came from no charge, and an administrator refunds it. */
export type TerminalSettlementOutcome = 'refunded' | 'kept' | 'cancelled';

/** Refunds the remaining credit of a member whose membership has ended. */
export const terminalSettlement = {
  name: 'terminalSettlement',
  kind: 'terminal_settlement',
  taskQueue: 'payments',
  priority: 3,
  workflowId: ({ settlementId }) => `terminal-settlement/${settlementId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'terminal_settlement', id: 'settlementId' },
  chapterId: () => null,
  summary: 'Give back the credit of a member who has left',
  expectedMinutes: null,
  money: 'by_rows',
  stages: {
    waiting: 'Its time has not come, or a payment of the member is on its way.',
    refunding: 'The payment provider has been asked, a refund for each charge.',
  },
  ends: {
    refunded: 'Nothing is left.',
    kept: 'What is left came by no charge, or was refused: an administrator gives it back by hand.',
    cancelled: 'The membership goes on, or an administrator wants the credit to stay.',
  },
  steps: { followTerminalSettlement: 'the member’s credit to be looked at' },
  sleepsUntil: 'the next look at what is on its way',
  failures: {},
  cancel: {
    when: 'before_money',
    stages: ['waiting'],
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'The credit stays where it is.',
  },
  example: (newId) => ({ settlementId: newId() }),
} as const satisfies ProcessContract<TerminalSettlementInput, TerminalSettlementOutcome>;
