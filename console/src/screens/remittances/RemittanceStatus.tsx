import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { RemittanceRow } from './queries';

type Status = RemittanceRow['status'];

export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  draft: 'Draft',
  processing: 'Being paid',
  settled: 'Settled',
  needs_reconciliation: 'Flagged: captured, but not allocated',
};

const TYPES: Readonly<Record<Status, StatusIndicatorProps.Type>> = {
  draft: 'pending',
  processing: 'in-progress',
  settled: 'success',
  needs_reconciliation: 'warning',
};

export const RemittanceStatus = ({ status }: { status: Status }) => (
  <StatusIndicator type={TYPES[status]}>{STATUS_LABELS[status]}</StatusIndicator>
);

/** Why the money of a remittance waits. */
export const FLAG_REASONS: Readonly<Record<NonNullable<RemittanceRow['reconciliation_reason']>, string>> = {
  allocation_stale: 'An invoice changed while its payment was pending.',
  amount_mismatch: 'The captured amount differs from the requested amount.',
  settlement_failed: 'The captured money could not be recorded on the invoices.',
  second_capture: 'The remittance was charged more than once.',
};
