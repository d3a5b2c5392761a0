import {
  dailyProcess,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface MembershipChangesInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD. It is a part of the workflow id, so that a day has one process. */
  day: string;
}

/**
 * Applies one organization's membership changes that take effect on this day, begins its planned terms of office, and
 * notifies of terms that end.
 */
export const membershipChanges = {
  ...dailyProcess,
  name: 'membershipChanges',
  kind: 'membership_changes',
  priority: 3,
  workflowId: ({ organizationId, day }) => `membership-changes/${organizationId}/${day}`,
  // A change may become due later on the same day. The process is then started again with the same workflow id.
  allowRestart: true,
  summary: 'Apply due membership changes, begin due terms of office, and notify of ending terms in one organization',
  stages: {
    applying:
      'Due changes and terms are being checked again and applied, one after another. Then people are notified of ending terms.',
  },
  ends: {
    applied: 'Every due change is applied, or refused with a recorded reason. Every notification is sent.',
  },
  steps: { applyDueChanges: 'the next changes to be applied' },
  cancel: {
    ...keepsRows,
    says: 'Changes already applied stay applied. The next scheduled run applies the others.',
  },
} as const satisfies ProcessContract<MembershipChangesInput, 'applied'>;

/**
 * Starts membership changes for every organization that has due changes by its own date. Started by a Schedule; belongs
 * to no organization.
 */
export const membershipChangesEverywhere = {
  ...scheduledProcess,
  name: 'membershipChangesEverywhere',
  kind: 'membership_changes_schedule',
  priority: 3,
  // Hourly, because it is midnight in some time zone every hour. One run makes up for all missed runs.
  schedule: { id: 'membership-changes', calendars: [{ minute: 2, hour: '*' }], catchupWindow: '1 hour' },
  summary: 'Find organizations with due membership changes, terms of office or term notices',
  stages: { listing: 'Membership changes are being started for organizations with due changes.' },
  ends: { listed: 'The process of every organization with due changes is started.' },
  steps: { listOrganizationsWithChanges: 'the list of organizations with due changes' },
  cancel: {
    ...keepsRows,
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
