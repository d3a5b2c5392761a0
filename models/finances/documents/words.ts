/** Accounts as documents: in words for people, and amounts as their currency is written. */
import type { InvoiceCause } from '../explain/explainInvoice.js';
import type { StatementEntry } from '../ledger/readStatement.js';
import { money } from '../money.js';

interface Column {
  title: string;
  /** Of the width of the page. */
  share: number;
  isAmount?: true;
}

/** By the currency's code; nothing where it is hidden. */
export const amount = (minorUnits: number | null, currency: string): string =>
  minorUnits === null ? '' : money(minorUnits, currency, 'code').replace(/\u00a0/g, ' ');

const TEXT_COLUMNS: readonly Column[] = [
  { title: 'Date', share: 2 },
  { title: 'What happened', share: 6 },
];
const AMOUNT_COLUMNS: readonly Column[] = [
  { title: 'Change', share: 3, isAmount: true },
  { title: 'Due after it', share: 3, isAmount: true },
];

/** Whoever may not see amounts has no columns for them. */
export const columnsFor = (seesAmounts: boolean): readonly Column[] =>
  seesAmounts ? [...TEXT_COLUMNS, ...AMOUNT_COLUMNS] : TEXT_COLUMNS;

const WORDS: Record<InvoiceCause | StatementEntry['kind'], string> = {
  line: 'Billed',
  invoice: 'Billed',
  fee: 'Fee',
  discount: 'Discount',
  discount_voided: 'Discount taken back',
  adjustment: 'Adjustment',
  remittance: 'Remittance',
  payment: 'Payment',
  refund: 'Refund',
  refund_failed: 'Refund that came back',
  dispute: 'Disputed with the bank',
  dispute_reinstated: 'Returned by the bank',
  credit_issued: 'Became credit',
  credit_applied: 'Paid from credit',
  credit_refunded: 'Credit paid out',
  credit_reversed: 'Credit entry reversed',
  credit_shortfall: 'Credit that is missing',
  credit_recovered: 'Credit that covers what was missing',
  credit_moved_out: 'Credit that went along to another chapter',
  credit_moved_in: 'Credit that came along from another chapter',
  void: 'Void',
};

/** A kind of entry in words, and what was said of it; once, where that begins alike. */
export const inWords = (kind: keyof typeof WORDS, said: string | null): string => {
  const words = WORDS[kind];
  if (!said) return words;
  return said.startsWith(words) ? said : `${words}: ${said}`;
};
