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
  subjectId: ({ duesRunId }) => duesRunId,
  summary: 'Issue the invoices of a dues run',
  priority: 3,
  expectedMinutes: 30,
};
