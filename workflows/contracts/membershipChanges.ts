import type { ProcessContract, TenantInput } from './process.js';

export interface MembershipChangesInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: names the run. */
  day: string;
}

/**
 * Applies one organization's membership changes that take effect on this day, begins its planned terms of office, and
 * notifies of terms that end.
 */
export const membershipChanges = {
  name: 'membershipChanges',
  kind: 'membership_changes',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ organizationId, day }) => `membership-changes/${organizationId}/${day}`,
  // Changes that become due later on the same day are applied under the same workflow id.
  allowRestart: true,
  // The schedule finds an organization again while it has due changes.
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Apply due membership changes, begin due terms of office, and notify of ending terms in one organization',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    applying:
      'Due changes and terms are being checked again and applied, one after another. Then people are notified of ending terms.',
  },
  ends: {
    applied: 'Every due change is applied, or refused with a recorded reason. Every notification is sent.',
  },
  steps: { applyDueChanges: 'the next changes to be applied' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Changes already applied stay applied. The next scheduled run applies the others.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<MembershipChangesInput, 'applied'>;
