import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { Cents } from '../../parts/Cents';
import { Day } from '../../parts/Day';
import { LinkTo } from '../../parts/LinkTo';
import { InvoiceStatus } from './InvoiceStatus';
import type { Invoice } from './queries';

/** The amounts of an invoice. */
export const AMOUNTS = [
  ['total_cents', 'Total'],
  ['discount_cents', 'Discounts'],
  ['credit_cents', 'Credit applied'],
  ['paid_cents', 'Paid'],
  ['overpaid_cents', 'Paid beyond the total'],
  ['balance_due_cents', 'Balance due'],
] as const;

export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { issue_date, due_date, currency, payment_in_progress, void_reason, replaces, replaced_by } = invoice;
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Status', value: <InvoiceStatus invoice={invoice} /> },
    { label: 'Issued', value: <Day on={issue_date} /> },
    { label: 'Due', value: <Day on={due_date} /> },
    ...AMOUNTS.filter(([name]) => invoice[name] !== null).map(([name, label]) => ({
      label,
      value: <Cents cents={invoice[name]} currency={currency} />,
    })),
  ];
  if (payment_in_progress) items.push({ label: 'Payment', value: 'The outcome of a remittance is pending' });
  if (void_reason) items.push({ label: 'Why it is void', value: void_reason });
  if (replaces) items.push({ label: 'Replaces', value: <OtherInvoice id={replaces} /> });
  if (replaced_by) items.push({ label: 'Replaced by', value: <OtherInvoice id={replaced_by} /> });
  return <KeyValuePairs columns={4} items={items} />;
}

const OtherInvoice = ({ id }: { id: string }) => <LinkTo href={`/console/invoices/${id}`}>Another invoice</LinkTo>;
