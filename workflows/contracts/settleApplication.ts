import type { ProcessContract, TenantInput } from './process.js';

export interface SettleApplicationInput extends TenantInput {
  versionId: string;
  /** Part of the workflow id, since the process for the previous wish may still run; the row says what is done. */
  wants: 'counted' | 'withdrawn' | 'erased';
}

/**
 * Does what the sender of an application requested, apart from the HTTP answer: the answer's timing must not reveal
 * whether an address is known.
 */
export const settleApplication = {
  name: 'settleApplication',
  kind: 'application_settlement',
  taskQueue: 'core',
  priority: 2,
  workflowId: ({ versionId, wants }) => `application/${versionId}/${wants}`,
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'pnm_application_version', id: 'versionId' },
  chapterId: () => null,
  summary: 'Count an application that nobody has to prove, or take it back',
  expectedMinutes: 5,
  money: 'never',
  stages: { settling: 'The application is counted, or taken back.' },
  ends: {
    settled: 'What was asked for is done, or the mailbox has to answer first.',
    waiting: 'Its recruitment period is closed: it waits until that is opened again.',
  },
  steps: { settleVersion: 'the application to be counted, or taken back' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'never',
    says: 'Whoever sent it was told that it is done.',
  },
  example: (newId) => ({ versionId: newId(), wants: 'counted' }),
} as const satisfies ProcessContract<SettleApplicationInput, 'settled' | 'waiting'>;
