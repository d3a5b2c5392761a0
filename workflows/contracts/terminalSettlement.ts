import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface TerminalSettlementInput extends TenantInput {
  settlementId: string;
}

/**
 * How the settlement ended. `kept`: the remaining credit could not be refunded, because it came from no charge or the
 * provider refused; an administrator refunds it manually.
 */
export type TerminalSettlementOutcome = 'refunded' | 'kept' | 'cancelled';

/** Refunds the remaining credit of a member whose membership has ended. */
export const terminalSettlement = {
  ...tenantProcess,
  name: 'terminalSettlement',
  kind: 'terminal_settlement',
  taskQueue: 'payments',
  priority: 3,
  workflowId: ({ settlementId }) => `terminal-settlement/${settlementId}`,
  subject: { type: 'terminal_settlement', id: 'settlementId' },
  summary: 'Refund the credit of a member who has left',
  expectedMinutes: null,
  money: 'by_rows',
  stages: {
    waiting: 'The settlement is not due yet, or a payment of the member is pending.',
    refunding: 'A refund for each charge has been requested from the payment provider.',
  },
  ends: {
    refunded: 'All credit is refunded.',
    kept: 'The remaining credit came from no charge, or its refund was refused. An administrator refunds it manually.',
    cancelled: 'The membership continues, or an administrator decided to keep the credit.',
  },
  steps: { followTerminalSettlement: 'the member’s credit to be checked' },
  sleepsUntil: 'the next check of pending payments and refunds',
  cancel: {
    when: 'before_money',
    stages: ['waiting'],
    rows: 'changed',
    outcomeWhenCancelled: 'cancelled',
    says: 'The credit stays with the member.',
  },
  example: (newId) => ({ settlementId: newId() }),
} as const satisfies ProcessContract<TerminalSettlementInput, TerminalSettlementOutcome>;
