import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface SettleApplicationInput extends TenantInput {
  versionId: string;
  /**
   * Distinguishes the workflow ids of different requests, because a process for an earlier request may still run. The
   * process itself reads from the row what to do.
   */
  wants: 'counted' | 'withdrawn' | 'erased';
}

/**
 * Performs what the sender of an application requested, separately from the HTTP response: the response time must not
 * reveal whether an address is registered.
 */
export const settleApplication = {
  ...tenantProcess,
  name: 'settleApplication',
  kind: 'application_settlement',
  taskQueue: 'core',
  priority: 2,
  workflowId: ({ versionId, wants }) => `application/${versionId}/${wants}`,
  allowRestart: true,
  subject: { type: 'pnm_application_version', id: 'versionId' },
  summary: 'Count an application that needs no confirmation, or withdraw it',
  expectedMinutes: 5,
  money: 'never',
  stages: { settling: 'The application is being counted or withdrawn.' },
  ends: {
    settled: 'The request is carried out, or waits for the confirmation by mail.',
    waiting: 'The recruitment period is closed. The application waits until it is reopened.',
  },
  steps: { settleVersion: 'the application to be counted or withdrawn' },
  cancel: {
    when: 'never',
    says: 'The sender has already received a confirmation.',
  },
  example: (newId) => ({ versionId: newId(), wants: 'counted' }),
} as const satisfies ProcessContract<SettleApplicationInput, 'settled' | 'waiting'>;
