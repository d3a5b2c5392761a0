import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface IssueDuesInput extends TenantInput {
  duesRunId: string;
}

/** How the dues run ended. `cancelled`: the process found its row cancelled. */
export type IssueDuesOutcome = 'issued' | 'cancelled' | 'stopped_right_lost';

/** Issues the invoices of a dues run, chapter by chapter. */
export const issueDues = {
  ...bulkProcess,
  name: 'issueDues',
  kind: 'dues_run',
  workflowId: ({ duesRunId }) => `dues-run/${duesRunId}`,
  subject: { type: 'dues_run', id: 'duesRunId' },
  summary: 'Issue the invoices of a dues run',
  stages: {
    issuing: 'Invoices are being issued, chapter by chapter.',
    finishing: 'Every chapter is complete. The run is being closed.',
  },
  ends: {
    issued: 'All planned invoices are issued.',
    cancelled: 'The run was cancelled. Invoices already issued stay.',
    stopped_right_lost:
      'The person who confirmed the run lost the right to it. Invoices already issued stay; no further invoices are issued.',
  },
  steps: {
    issueNextDues: 'the invoices of the next chapters to be issued',
    finishDues: 'the run to be closed',
    cancelDues: 'the run to be closed as cancelled',
  },
  cancel: {
    ...cancelsRows,
    says: 'Invoices already issued stay. The run ends as cancelled.',
  },
  example: (newId) => ({ duesRunId: newId() }),
} as const satisfies ProcessContract<IssueDuesInput, IssueDuesOutcome>;
