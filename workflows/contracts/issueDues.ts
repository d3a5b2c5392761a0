import type { ProcessContract, TenantInput } from './process.js';

export interface IssueDuesInput extends TenantInput {
  duesRunId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type IssueDuesOutcome = 'issued' | 'cancelled' | 'stopped_right_lost';

/** Issues the invoices of a dues run, chapter by chapter. */
export const issueDues = {
  name: 'issueDues',
  kind: 'dues_run',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ duesRunId }) => `dues-run/${duesRunId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'dues_run', id: 'duesRunId' },
  chapterId: () => null,
  summary: 'Issue the invoices of a dues run',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    issuing: 'Invoices are issued, chapter by chapter.',
    finishing: 'Every chapter is done; the run is closed.',
  },
  ends: {
    issued: 'All planned invoices are issued.',
    cancelled: 'The run was cancelled: what was issued stays issued.',
    stopped_right_lost:
      'Who confirmed it lost the right to it: what was issued stays issued, and the rest is not issued.',
  },
  steps: {
    issueNextDues: 'the invoices of the next chapters to be issued',
    finishDues: 'the run to be closed',
    cancelDues: 'the run to be closed where it stands',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'Invoices that were issued stay issued; the run ends as cancelled.',
  },
  example: (newId) => ({ duesRunId: newId() }),
} as const satisfies ProcessContract<IssueDuesInput, IssueDuesOutcome>;
