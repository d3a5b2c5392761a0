import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { LinkTo } from '../../../parts/LinkTo';
import { Time } from '../../../parts/Time';
import { InCurrency } from '../../../parts/InCurrency';
import { CaseStatus } from './CaseStatus';
import type { Case } from './queries';

export function CaseFacts({ found }: { found: Case }) {
  const { recorded_cents, reported_cents, moved_at, remittance, note, closed_at } = found;
  const items: (KeyValuePairsProps.Item | false)[] = [
    { label: 'Status', value: <CaseStatus {...found} /> },
    { label: 'Amount', value: <InCurrency cents={found.amount_cents} /> },
    recorded_cents !== null && { label: 'Remains in our books', value: <InCurrency cents={recorded_cents} /> },
    reported_cents !== null && { label: 'Remains at the provider', value: <InCurrency cents={reported_cents} /> },
    { label: 'Charge, refund or settlement', value: found.gateway_object },
    remittance !== null && {
      label: 'Remittance',
      value: <LinkTo href={`/console/remittances/${remittance}`}>Open the remittance</LinkTo>,
    },
    moved_at !== null && { label: 'The charge changed', value: <Time at={moved_at} /> },
    { label: 'Opened', value: <Time at={found.created_at} /> },
    closed_at !== null && { label: 'Closed', value: <Time at={closed_at} /> },
    note !== null && { label: 'Note', value: note },
  ];
  return <KeyValuePairs columns={4} items={items.filter((item) => item !== false)} />;
}
