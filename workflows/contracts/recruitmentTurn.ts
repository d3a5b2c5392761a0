import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface RecruitmentTurnInput extends TenantInput {
  periodId: string;
  /** Number of the closing or reopening that started the process. A later one replaces it. */
  turn: string;
}

export type RecruitmentTurnOutcome = 'settled' | 'stopped_right_lost';

/** Rejects the undecided applicants of a recruitment period that was closed, or readmits them if it was reopened. */
export const recruitmentTurn = {
  ...bulkProcess,
  name: 'recruitmentTurn',
  kind: 'recruitment_close',
  workflowId: ({ periodId, turn }) => `recruitment-close/${periodId}/${turn}`,
  subject: { type: 'recruitment_period', id: 'periodId' },
  summary: 'Reject the undecided applicants of a closed recruitment period, or readmit them when it reopens',
  stages: { following: 'Applicants are being updated in batches.' },
  ends: {
    settled: 'Every applicant is updated, or a later closing or reopening has replaced this one.',
    stopped_right_lost:
      'The person who closed or reopened the period lost the right to it. Updated applicants stay updated, and the others wait.',
  },
  steps: { settleApplicants: 'the next applicants to be updated', stopSettling: 'the process to be stopped' },
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: null,
    says: 'Applicants already updated stay so, and are readmitted when the period reopens. The others stay unchanged.',
  },
  example: (newId) => ({ periodId: newId(), turn: '1' }),
} as const satisfies ProcessContract<RecruitmentTurnInput, RecruitmentTurnOutcome>;
