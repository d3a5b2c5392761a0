import { cancelsRows, type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface BulkActionInput extends TenantInput {
  bulkActionId: string;
}

/** How the process ended. `stopped`: an administrator stopped it, or the process was cancelled. */
export type BulkActionOutcome = 'done' | 'stopped' | 'stopped_right_lost';

/** Retries or cancels the processes that an administrator chose. */
export const bulkAction = {
  ...tenantProcess,
  name: 'bulkAction',
  kind: 'bulk_action',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ bulkActionId }) => `bulk-action/${bulkActionId}`,
  subject: { type: 'process_bulk_action', id: 'bulkActionId' },
  summary: 'Retry or cancel many processes',
  // A thousand processes that are each observed for as long as possible take about twenty minutes.
  expectedMinutes: 60,
  money: 'never',
  stages: { acting: 'The chosen processes are being retried or cancelled, page by page.' },
  ends: {
    done: 'Every chosen process has an outcome.',
    stopped: 'The bulk action was stopped. The remaining processes were left as they are.',
    stopped_right_lost:
      'The person who confirmed the bulk action lost the right to it. The remaining processes were left as they are.',
  },
  steps: {
    actOnNextTargets: 'the next processes to be retried or cancelled',
    stopBulkAction: 'the bulk action to be closed as stopped',
  },
  cancel: {
    ...cancelsRows,
    outcomeWhenCancelled: 'stopped',
    says: 'It ends before the next page of processes. Processes already retried or cancelled stay so.',
  },
  example: (newId) => ({ bulkActionId: newId() }),
} as const satisfies ProcessContract<BulkActionInput, BulkActionOutcome>;
