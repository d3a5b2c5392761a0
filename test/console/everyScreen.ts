/** Every screen of the console, with what it shows once it is loaded. Add a line for each new screen. */
import type { MoneyToDecide } from './moneyToDecide.support.js';
import type { Person, World } from '../support/world.js';

/** Ids of rows that screens about one row open. */
export interface Shown {
  world: World;
  /** Another organization, with invoices, a dues run and a ledger check. */
  billed: World;
  process: string;
  /** A bulk action on this process. */
  bulkAction: string;
  /** A flagged remittance. */
  remittance: string;
  money: MoneyToDecide;
  /** A request to change a status, which the admin may decide. */
  approval: string;
  ledgerCheck: string;
  invoice: string;
  duesRun: string;
  platformAdmin: Account;
}

type Account = Pick<Person, 'userId' | 'email'>;

interface Screen {
  path: string;
  /** Text that is on the screen once its data is loaded. */
  shows: string | RegExp;
  /** Who opens it; null: without a session. */
  as: Account | null;
}

export const everyScreen = ({
  world: { admin, officer, member, chapterId, slug },
  billed,
  process,
  bulkAction,
  remittance,
  money,
  approval,
  ledgerCheck,
  invoice,
  duesRun,
  platformAdmin,
}: Shown): Screen[] => [
  { path: '/console', shows: 'Sign in with a passkey', as: null },
  { path: '/auth/forgot-password', shows: 'Send me a link', as: null },
  { path: '/auth/reset-password?token=x', shows: 'Set the password', as: null },
  { path: '/auth/verify-email?token=x', shows: 'Verify the address', as: null },
  { path: '/auth/invitation?token=x', shows: 'Decline', as: null },
  { path: '/auth/sso/callback?error=no_account', shows: 'There is no account', as: null },
  { path: '/console', shows: 'Flagged remittances', as: admin },
  { path: '/console', shows: 'Flagged remittances', as: officer },
  { path: '/console', shows: 'The console is for officers and administrators', as: member },
  { path: '/console/processes', shows: 'Money moved', as: admin },
  { path: '/console/processes?kind=rollover', shows: 'There are no such processes', as: admin },
  { path: `/console/processes/${process}`, shows: 'What you can do', as: admin },
  { path: '/console/processes/unknown', shows: 'not_found', as: admin },
  { path: '/console/processes/bulk-actions', shows: 'The bank is reachable', as: admin },
  { path: '/console/processes/bulk-actions', shows: 'No process was retried', as: billed.admin },
  { path: '/console/processes/bulk-actions/new?action=retry&stuck=true', shows: /^Retry \d process/, as: admin },
  { path: `/console/processes/bulk-actions/new?action=cancel&ids=${process}`, shows: 'There is nothing to', as: admin },
  { path: `/console/processes/bulk-actions/${bulkAction}`, shows: 'All processes', as: admin },
  { path: '/console/processes/bulk-actions/unknown', shows: 'not_found', as: admin },
  { path: '/console/remittances', shows: 'Alpha, 2 invoices', as: admin },
  { path: '/console/remittances?status=settled', shows: 'There are no such remittances', as: billed.officer },
  { path: `/console/remittances/${remittance}`, shows: 'Refund what remains', as: admin },
  { path: '/console/remittances/unknown', shows: 'not_found', as: admin },
  { path: '/console/money-cases', shows: 'Dispute that belongs', as: money.world.admin },
  { path: '/console/money-cases?status=closed', shows: 'There are no such cases', as: money.world.admin },
  { path: `/console/money-cases/${money.moneyCase}`, shows: 'is still to be allocated', as: money.world.admin },
  { path: '/console/unmatched-payments', shows: 'pi_unmatched', as: money.world.admin },
  { path: `/console/unmatched-payments/${money.unmatched}`, shows: 'Keep it as credit', as: money.world.admin },
  { path: '/console/disputes', shows: 'fraudulent', as: money.world.admin },
  { path: `/console/disputes/${money.dispute}`, shows: 'Movements', as: money.world.admin },
  { path: '/console/reconciliation', shows: 'Not yet', as: money.world.admin },
  { path: '/console/reconciliation?from=2026-02-01&to=2026-01-01', shows: 'validation_error', as: money.world.admin },
  { path: '/console/approvals', shows: 'Status of', as: admin },
  { path: '/console/approvals?kind=status_change', shows: 'Approve selected', as: admin },
  { path: '/console/approvals?kind=refund', shows: 'No request waits', as: officer },
  { path: `/console/status-change-requests/${approval}`, shows: 'Requested status', as: officer },
  { path: '/console/members', shows: 'Choose a chapter, or search for a name', as: admin },
  { path: `/console/members?chapter=${chapterId}`, shows: 'Graduation', as: admin },
  { path: '/console/members', shows: 'Joined', as: officer },
  { path: `/console/members/add?chapter=${chapterId}`, shows: 'Add the member', as: admin },
  { path: `/console/memberships/${member.membershipId}`, shows: 'New chapter', as: admin },
  { path: '/console/imports', shows: 'There are no such imports', as: admin },
  { path: '/console/imports/unknown', shows: 'not_found', as: admin },
  { path: '/console/invoices', shows: /\$100\.00/, as: billed.admin },
  { path: `/console/invoices/${invoice}`, shows: 'Balance after it', as: billed.admin },
  { path: '/console/dues-runs', shows: /^\d+ of \d+$/, as: billed.admin },
  { path: '/console/dues-runs/new', shows: 'Notify payers of their new invoices', as: billed.admin },
  { path: `/console/dues-runs/${duesRun}`, shows: 'Chapters billed', as: billed.admin },
  { path: '/console/dues-settings', shows: '$125.00', as: billed.admin },
  { path: '/console/dues-settings?status=pnm', shows: 'There are no such rates', as: billed.admin },
  { path: '/console/dues-settings?tab=terms', shows: 'First day', as: billed.admin },
  { path: '/console/dues-settings?tab=settings', shows: 'Days between reminders', as: billed.admin },
  { path: '/console/reports', shows: 'Amount in USD', as: billed.admin },
  { path: '/console/reports?report=members', shows: 'Number of members', as: billed.regionalAdmin },
  { path: '/console/reports?report=reconciliation', shows: 'Amount in USD', as: billed.admin },
  { path: '/console/ledger-checks', shows: 'Passed', as: billed.admin },
  { path: `/console/ledger-checks/${ledgerCheck}`, shows: "A payer's account adds up", as: billed.admin },
  { path: '/console/audit-log', shows: /^\d+ fields?$/, as: billed.admin },
  { path: '/console', shows: 'Organizations without an admin', as: platformAdmin },
  { path: `/console/platform?search=${slug}`, shows: `Organization ${slug}`, as: platformAdmin },
  { path: '/console/platform?search=nowhere', shows: 'There are no such organizations', as: platformAdmin },
  {
    path: `/console/platform?tab=people&q=${platformAdmin.email}&person=${platformAdmin.userId}`,
    shows: 'Account created',
    as: platformAdmin,
  },
  { path: '/console/platform?tab=admins', shows: 'Revoke', as: platformAdmin },
  { path: '/console/platform?tab=alerts', shows: 'Stages and actions', as: platformAdmin },
  { path: '/console/platform?tab=processes&kind=platform_alert', shows: 'Completed', as: platformAdmin },
  { path: '/console/platform?tab=health', shows: 'Temporal answers.', as: platformAdmin },
  { path: '/console/platform?tab=log', shows: 'platform_alert.published', as: platformAdmin },
  { path: '/console/nowhere/1', shows: 'no screen for this address', as: admin },
  { path: '/account/security', shows: 'What happened to your account', as: member },
];
