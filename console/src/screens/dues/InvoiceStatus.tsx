import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { InvoiceRow } from './queries';

export const INVOICE_LABELS: Readonly<Record<InvoiceRow['status'], string>> = {
  open: 'Open',
  overdue: 'Overdue',
  partially_paid: 'Partially paid',
  paid: 'Paid',
  void: 'Void',
};
const TYPES = {
  open: 'pending',
  overdue: 'warning',
  partially_paid: 'in-progress',
  paid: 'success',
  void: 'stopped',
} as const;

/** The status of an invoice, and whether it is past due, which only open ones have as their status. */
export const InvoiceStatus = ({ invoice: { status, is_past_due } }: { invoice: InvoiceRow }) => (
  <StatusIndicator type={is_past_due ? 'warning' : TYPES[status]}>
    {INVOICE_LABELS[status]}
    {is_past_due && status !== 'overdue' && ', past due'}
  </StatusIndicator>
);
