import type { ProcessContract, TenantInput } from './process.js';

export interface SettleApplicationInput extends TenantInput {
  versionId: string;
  /** Each has a process of its own, since the one before may not have ended; what is done, the row says. */
  wants: 'counted' | 'withdrawn' | 'erased';
}

/** Does what whoever sent an application has asked for, apart from the answer: nobody learns from that whose address it is. */
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
