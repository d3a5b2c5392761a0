import type { ProcessContract, TenantInput } from './process.js';

export interface IssueDuesInput extends TenantInput {
  duesRunId: string;
}

/** Issues the invoices of a dues run, chapter by chapter. */
export const issueDues: ProcessContract<IssueDuesInput> = {
  name: 'issueDues',
  kind: 'dues_run',
  taskQueue: 'bulk',
  workflowId: ({ duesRunId }) => `dues-run/${duesRunId}`,
  subject: { type: 'dues_run', id: 'duesRunId' },
  summary: 'Issue the invoices of a dues run',
  priority: 3,
  expectedMinutes: 30,
  steps: {
    issueNextDues: 'the invoices of the next chapters to be issued',
    finishDues: 'the run to be closed',
    cancelDues: 'the run to be closed where it stands',
  },
  cancel: { when: 'any_time', says: 'Invoices that were issued stay issued; the run ends as cancelled.' },
};
