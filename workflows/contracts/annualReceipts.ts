import { MAIL_FAILURES } from './failures.js';
import {
  bulkProcess,
  cancelsRows,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface AnnualReceiptsInput extends TenantInput {
  runId: string;
}

/** How the run ended. `cancelled`: the process found its row cancelled. */
export type AnnualReceiptsOutcome = 'issued' | 'cancelled' | 'stopped_right_lost';

/** Issues and mails the annual receipts of a run, a page of donors at a time. */
export const annualReceipts = {
  ...bulkProcess,
  name: 'annualReceipts',
  kind: 'annual_receipts',
  workflowId: ({ runId }) => `annual-receipts/${runId}`,
  seenBy: 'foundation',
  subject: { type: 'annual_receipt_run', id: 'runId' },
  summary: 'Issue and mail annual receipts',
  // 20,000 donors take about half an hour.
  expectedMinutes: 120,
  stages: {
    issuing: 'Annual receipts are being issued and mailed, page by page.',
    finishing: 'Every donor is done. The run is being closed.',
  },
  ends: {
    issued:
      'All planned receipts are issued. Those of donors whose gifts or names changed meanwhile are left to the next run.',
    cancelled: 'The run was cancelled. Receipts already issued stay and are mailed.',
    stopped_right_lost:
      'The person who confirmed the run is no admin of the foundation any more. Receipts already issued stay; no further receipts are issued.',
  },
  steps: {
    issueNextAnnualReceipts: 'the receipts of the next donors to be issued',
    mailAnnualReceipts: 'the mail server to accept the receipts',
    finishAnnualReceipts: 'the run to be closed',
    cancelAnnualReceipts: 'the run to be closed as cancelled',
  },
  failures: MAIL_FAILURES,
  cancel: {
    ...cancelsRows,
    says: 'The run ends after the page that is being issued. Receipts already issued stay and are mailed.',
  },
  example: (newId) => ({ runId: newId() }),
} as const satisfies ProcessContract<AnnualReceiptsInput, AnnualReceiptsOutcome>;

/**
 * Starts a run in every organization whose donors lack annual receipts of last year. Started by a Schedule; belongs to no
 * organization.
 */
export const annualReceiptsEverywhere = {
  ...scheduledProcess,
  name: 'annualReceiptsEverywhere',
  kind: 'annual_receipts_schedule',
  // The database decides from which day of the year receipts are due. A daily run makes up for an outage, and issues the
  // receipts of gifts that were recorded late.
  schedule: { id: 'annual-receipts', calendars: [{ minute: 0, hour: 9 }], catchupWindow: '12 hours' },
  summary: 'Find organizations whose donors lack annual receipts',
  stages: { starting: 'Runs are being started for organizations whose donors lack annual receipts.' },
  ends: { started: 'Every organization whose donors lack annual receipts has a run.' },
  steps: { startNextAnnualReceipts: 'runs of annual receipts to be started' },
  cancel: { ...keepsRows, says: 'Runs already started continue. The next scheduled run starts the others.' },
} as const satisfies ScheduledProcess<'started'>;
