/** Texts and amount formats of printed receipts and statements. */
import type { InvoiceCause } from '../explain/explainInvoice.js';
import type { StatementEntry } from '../ledger/readStatement.js';
import { money } from '../money.js';

interface Column {
  title: string;
  /** Relative width of the column. */
  share: number;
  isAmount?: true;
}

/** Formats an amount with its currency code; empty where the amount is hidden. */
export const formatAmount = (minorUnits: number | null, currency: string): string =>
  minorUnits === null ? '' : money(minorUnits, currency, 'code').replace(/\u00a0/g, ' ');

const TEXT_COLUMNS: readonly Column[] = [
  { title: 'Date', share: 2 },
  { title: 'What happened', share: 6 },
];
const AMOUNT_COLUMNS: readonly Column[] = [
  { title: 'Change', share: 3, isAmount: true },
  { title: 'Balance', share: 3, isAmount: true },
];

/** Returns the table's columns; readers without amounts get no columns for them. */
export const columnsFor = (seesAmounts: boolean): readonly Column[] =>
  seesAmounts ? [...TEXT_COLUMNS, ...AMOUNT_COLUMNS] : TEXT_COLUMNS;

const KIND_LABELS: Record<InvoiceCause | StatementEntry['kind'], string> = {
  line: 'Billed',
  invoice: 'Billed',
  fee: 'Fee',
  discount: 'Discount',
  discount_voided: 'Discount voided',
  adjustment: 'Adjustment',
  remittance: 'Remittance',
  payment: 'Payment',
  refund: 'Refund',
  refund_failed: 'Failed refund',
  dispute: 'Disputed with the bank',
  dispute_reinstated: 'Returned by the bank',
  credit_issued: 'Became credit',
  credit_applied: 'Paid from credit',
  credit_refunded: 'Credit paid out',
  credit_reversed: 'Credit entry reversed',
  credit_shortfall: 'Credit shortfall',
  credit_recovered: 'Credit shortfall covered',
  credit_moved_out: 'Credit moved to another chapter',
  credit_moved_in: 'Credit moved from another chapter',
  void: 'Void',
};

/**
 * Describes an entry by its kind, followed by its text. If the text already begins with the kind, the text alone is
 * used.
 */
export const describeEntry = (kind: keyof typeof KIND_LABELS, text: string | null): string => {
  const label = KIND_LABELS[kind];
  if (!text) return label;
  return text.startsWith(label) ? text : `${label}: ${text}`;
};
