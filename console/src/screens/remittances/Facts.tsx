import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { Cents } from '../../parts/Cents';
import { Time } from '../../parts/Time';
import type { Remittance } from './queries';
import { RemittanceStatus } from './RemittanceStatus';

export function Facts({ remittance }: { remittance: Remittance }) {
  const { status, total_cents, currency, processor_payment_id, created_at, settled_at } = remittance;
  const { reconciliation_flagged_at: flagged_at, reconciliation_amount_cents, reconciliation_note } = remittance;
  const items: (KeyValuePairsProps.Item | false)[] = [
    { label: 'Status', value: <RemittanceStatus status={status} /> },
    total_cents !== null && { label: 'Amount', value: <Cents cents={total_cents} currency={currency} /> },
    reconciliation_amount_cents !== null && {
      label: status === 'needs_reconciliation' ? 'Captured, but not allocated' : 'Waited for a decision',
      value: <Cents cents={reconciliation_amount_cents} currency={currency} />,
    },
    { label: 'Charge at the provider', value: processor_payment_id ?? '–' },
    { label: 'Created', value: <Time at={created_at} /> },
    { label: 'Settled', value: settled_at ? <Time at={settled_at} /> : '–' },
    flagged_at !== null && { label: 'Flagged', value: <Time at={flagged_at} /> },
    remittance.resolved_at !== null && { label: 'Resolved', value: <Time at={remittance.resolved_at} /> },
    reconciliation_note !== null && { label: 'Note', value: reconciliation_note },
  ];
  return <KeyValuePairs columns={4} items={items.filter((item) => item !== false)} />;
}
