import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { Time } from '../../../parts/Time';
import { AmountOf } from './AmountOf';
import type { Unmatched } from './queries';
import { UnmatchedState } from './UnmatchedState';

export function UnmatchedFacts({ payment }: { payment: Unmatched }) {
  const { resolution } = payment;
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Status', value: <UnmatchedState {...payment} /> },
    { label: 'Amount', value: <AmountOf payment={payment} cents={payment.amount_cents} /> },
    { label: 'Refunded', value: <AmountOf payment={payment} cents={payment.refunded_cents} /> },
    { label: 'Received', value: <Time at={payment.created_at} /> },
  ];
  if (resolution) {
    items.push(
      { label: 'Latest decision', value: resolution.resolution === 'refund' ? 'Refund it' : 'Keep it as credit' },
      { label: 'Decided', value: <Time at={resolution.created_at} /> },
      { label: 'Note', value: resolution.note },
    );
    if (resolution.status === 'failed')
      items.push({ label: 'The provider refused it', value: resolution.failure_code ?? 'without a code' });
  }
  return <KeyValuePairs columns={4} items={items} />;
}
