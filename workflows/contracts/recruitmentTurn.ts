import type { ProcessContract, TenantInput } from './process.js';

export interface RecruitmentTurnInput extends TenantInput {
  periodId: string;
  /** Number of the status change. A later one replaces it. */
  turn: string;
}

export type RecruitmentTurnOutcome = 'settled' | 'stopped_right_lost';

/** Settles the undecided applicants of a recruitment period that was closed or reopened. */
export const recruitmentTurn = {
  name: 'recruitmentTurn',
  kind: 'recruitment_close',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ periodId, turn }) => `recruitment-close/${periodId}/${turn}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'recruitment_period', id: 'periodId' },
  chapterId: () => null,
  summary: 'Reject the undecided of a closed recruitment period, or bring them back',
  expectedMinutes: 30,
  money: 'never',
  stages: { following: 'Applicants follow their period, a page at a time.' },
  ends: {
    settled: 'Everybody has followed, or another closing or reopening has taken its place.',
    stopped_right_lost:
      'Who closed or reopened the period lost the right to it: who has followed stays so, and the others wait.',
  },
  steps: { settleApplicants: 'the next applicants to follow', stopSettling: 'the rest to be left as they are' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: null,
    says: 'Who has followed stays so, and comes back when the period is opened again; the others stay as they are.',
  },
  example: (newId) => ({ periodId: newId(), turn: '1' }),
} as const satisfies ProcessContract<RecruitmentTurnInput, RecruitmentTurnOutcome>;
