import type { Schema } from 'chapter-membership-client';

export type ProcessKind = Schema<'ProcessSummary'>['kind'];

/** Kinds of processes in the order of the filter: what moves money comes first. */
const KINDS = [
  'remittance_payment',
  'hosted_page',
  'processor_event',
  'refund',
  'payment_refund',
  'terminal_settlement',
  'refund_request',
  'reconciliation',
  'dues_run',
  'invoice_reminders',
  'overdue_marking',
  'plan_bulk_approval',
  'plan_freeze',
  'import',
  'membership_changes',
  'rollover',
  'rollover_revert',
  'account_provisioning',
  'crossing',
  'recruitment_close',
  'reference_letter',
  'application_settlement',
  'bulletin',
  'social_post',
  'forum_withdrawal',
  'notification_delivery',
  'notification_digests',
  'notification_fanout',
  'document_drawing',
  'invoice_export',
  'roster_export',
  'file_scan',
  'storage_migration',
  'storage_provisioning',
  'recurring_pledge',
  'pledge_charge',
  'donation_page',
  'donation_receipt',
  'donation_refund',
  'annual_receipts',
  'foundation_bulletin',
] as const satisfies readonly ProcessKind[];

/** Kinds whose processes belong to no organization: about people's accounts, alerts, and what schedules start. */
export const PLATFORM_KINDS = [
  'account_notice',
  'account_deletion',
  'platform_alert',
  'process_recovery',
  'process_incident_check',
  'overdue_schedule',
  'invoice_reminders_schedule',
  'membership_changes_schedule',
  'saml_check_schedule',
  'campaign_close_schedule',
  'annual_receipts_schedule',
  'reconciliation_schedule',
  'ledger_check_schedule',
  'notification_redispatch',
  'digests_schedule',
  'push_prune',
  'remove_files',
] as const satisfies readonly ProcessKind[];

/** `remittance_payment` as `Remittance payment`: also for stages and outcomes. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Returns kinds with their labels, for a filter. */
export const optionsOf = (kinds: readonly ProcessKind[]): Readonly<Record<string, string>> =>
  Object.fromEntries(kinds.map((kind) => [kind, words(kind)]));

export const KIND_OPTIONS = optionsOf(KINDS);
