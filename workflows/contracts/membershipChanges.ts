import type { ProcessContract, TenantInput } from './process.js';

export interface MembershipChangesInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: names the run. */
  day: string;
}

/**
 * Applies one organization's membership changes that take effect on this day, begins its terms, and notifies of those
 * that end.
 */
export const membershipChanges = {
  name: 'membershipChanges',
  kind: 'membership_changes',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ organizationId, day }) => `membership-changes/${organizationId}/${day}`,
  // Changes that become due later on the same day are applied by the same workflow id.
  livesAgain: true,
  // The schedule returns to an organization while something is due there.
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary:
    'Apply changes of memberships and begin terms of office whose day has come in one organization, and tell of terms that end',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    applying:
      'Changes and terms whose day has come are checked again and applied, one after another; then people are told of terms that end.',
  },
  ends: {
    applied: 'Every change whose day has come is applied, or refused with its reason on record; every notice is given.',
  },
  steps: { applyDueChanges: 'the next changes to be applied' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Changes that were applied stay applied; the schedule comes to the others.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<MembershipChangesInput, 'applied'>;
