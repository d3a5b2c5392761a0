/** All screens by their path. Each is loaded when it is opened first. How to add one: docs/developing/adding-a-screen.md. */
import { lazyRouteComponent } from '@tanstack/react-router';

type Component = ReturnType<typeof lazyRouteComponent>;

const approvalScreen = lazyRouteComponent(() => import('../screens/approvals/ApprovalScreen'), 'ApprovalScreen');

/** Screens of the console, for people with an office. `$id` is a parameter. */
export const SCREENS: Record<string, Component> = {
  '/console': lazyRouteComponent(() => import('../screens/start/StartScreen'), 'StartScreen'),
  '/console/processes': lazyRouteComponent(() => import('../screens/processes/ProcessesScreen'), 'ProcessesScreen'),
  '/console/processes/bulk-actions': lazyRouteComponent(
    () => import('../screens/processes/bulk-actions/BulkActionsScreen'),
    'BulkActionsScreen',
  ),
  '/console/processes/bulk-actions/new': lazyRouteComponent(
    () => import('../screens/processes/bulk-actions/NewBulkActionScreen'),
    'NewBulkActionScreen',
  ),
  '/console/processes/bulk-actions/$id': lazyRouteComponent(
    () => import('../screens/processes/bulk-actions/BulkActionScreen'),
    'BulkActionScreen',
  ),
  '/console/processes/$id': lazyRouteComponent(() => import('../screens/processes/ProcessScreen'), 'ProcessScreen'),
  '/console/remittances': lazyRouteComponent(
    () => import('../screens/remittances/RemittancesScreen'),
    'RemittancesScreen',
  ),
  '/console/remittances/$id': lazyRouteComponent(
    () => import('../screens/remittances/RemittanceScreen'),
    'RemittanceScreen',
  ),
  '/console/money-cases': lazyRouteComponent(() => import('../screens/money/cases/CasesScreen'), 'CasesScreen'),
  '/console/money-cases/$id': lazyRouteComponent(() => import('../screens/money/cases/CaseScreen'), 'CaseScreen'),
  '/console/unmatched-payments': lazyRouteComponent(
    () => import('../screens/money/unmatched/UnmatchedPaymentsScreen'),
    'UnmatchedPaymentsScreen',
  ),
  '/console/unmatched-payments/$id': lazyRouteComponent(
    () => import('../screens/money/unmatched/UnmatchedPaymentScreen'),
    'UnmatchedPaymentScreen',
  ),
  '/console/disputes': lazyRouteComponent(() => import('../screens/money/disputes/DisputesScreen'), 'DisputesScreen'),
  '/console/disputes/$id': lazyRouteComponent(() => import('../screens/money/disputes/DisputeScreen'), 'DisputeScreen'),
  '/console/reconciliation': lazyRouteComponent(
    () => import('../screens/money/reconciliation/ReconciliationScreen'),
    'ReconciliationScreen',
  ),
  '/console/approvals': lazyRouteComponent(() => import('../screens/approvals/ApprovalsScreen'), 'ApprovalsScreen'),
  '/console/account-requests/$id': approvalScreen,
  '/console/member-add-requests/$id': approvalScreen,
  '/console/status-change-requests/$id': approvalScreen,
  '/console/transfer-requests/$id': approvalScreen,
  '/console/hand-over-requests/$id': approvalScreen,
  '/console/name-assignments/$id': approvalScreen,
  '/console/refund-requests/$id': approvalScreen,
  '/console/plan-requests/$id': approvalScreen,
  '/console/members': lazyRouteComponent(() => import('../screens/members/MembersScreen'), 'MembersScreen'),
  '/console/members/add': lazyRouteComponent(() => import('../screens/members/AddMemberScreen'), 'AddMemberScreen'),
  '/console/memberships/$id': lazyRouteComponent(() => import('../screens/members/MemberScreen'), 'MemberScreen'),
  '/console/imports': lazyRouteComponent(() => import('../screens/imports/ImportsScreen'), 'ImportsScreen'),
  '/console/imports/$id': lazyRouteComponent(() => import('../screens/imports/ImportScreen'), 'ImportScreen'),
  '/console/invoices': lazyRouteComponent(() => import('../screens/dues/InvoicesScreen'), 'InvoicesScreen'),
  '/console/invoices/$id': lazyRouteComponent(() => import('../screens/dues/InvoiceScreen'), 'InvoiceScreen'),
  '/console/dues-runs': lazyRouteComponent(() => import('../screens/dues/DuesRunsScreen'), 'DuesRunsScreen'),
  '/console/dues-runs/new': lazyRouteComponent(() => import('../screens/dues/NewDuesRunScreen'), 'NewDuesRunScreen'),
  '/console/dues-runs/$id': lazyRouteComponent(() => import('../screens/dues/DuesRunScreen'), 'DuesRunScreen'),
  '/console/dues-settings': lazyRouteComponent(
    () => import('../screens/dues-settings/DuesSettingsScreen'),
    'DuesSettingsScreen',
  ),
  '/console/reports': lazyRouteComponent(() => import('../screens/reports/ReportsScreen'), 'ReportsScreen'),
  '/console/ledger-checks': lazyRouteComponent(
    () => import('../screens/ledger-checks/LedgerChecksScreen'),
    'LedgerChecksScreen',
  ),
  '/console/ledger-checks/$id': lazyRouteComponent(
    () => import('../screens/ledger-checks/LedgerCheckScreen'),
    'LedgerCheckScreen',
  ),
  '/console/audit-log': lazyRouteComponent(() => import('../screens/audit-log/AuditLogScreen'), 'AuditLogScreen'),
  '/console/platform': lazyRouteComponent(() => import('../screens/platform/PlatformScreen'), 'PlatformScreen'),
};

/** Screens for everybody who is signed in. */
export const OWN_SCREENS: Record<string, Component> = {
  '/account/security': lazyRouteComponent(() => import('../screens/account/SecurityScreen'), 'SecurityScreen'),
};

/** Pages that need no session. Mails link to them. */
export const PUBLIC_PAGES: Record<string, Component> = {
  '/auth/login': lazyRouteComponent(() => import('../screens/mailed/LoginPage'), 'LoginPage'),
  '/auth/invitation': lazyRouteComponent(() => import('../screens/mailed/InvitationPage'), 'InvitationPage'),
  '/auth/reset-password': lazyRouteComponent(() => import('../screens/mailed/ResetPasswordPage'), 'ResetPasswordPage'),
  '/auth/forgot-password': lazyRouteComponent(
    () => import('../screens/mailed/ForgotPasswordPage'),
    'ForgotPasswordPage',
  ),
  '/auth/verify-email': lazyRouteComponent(() => import('../screens/mailed/VerifyEmailPage'), 'VerifyEmailPage'),
  '/auth/sso/callback': lazyRouteComponent(() => import('../screens/mailed/SsoCallbackPage'), 'SsoCallbackPage'),
};
