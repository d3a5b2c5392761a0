import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { formatCents } from '../../../parts/Cents';
import { LinkTo } from '../../../parts/LinkTo';
import { Time } from '../../../parts/Time';
import { DisputeStatus } from './DisputeStatus';
import type { Dispute } from './queries';

export function DisputeFacts({ dispute }: { dispute: Dispute }) {
  const { currency, evidence_due_at, remittance } = dispute;
  const amounts: [string, number][] = [
    ['Disputed', dispute.amount_cents],
    ['Withdrawn', dispute.withdrawn_cents],
    ['Returned', dispute.reinstated_cents],
    ['Fee: a cost of the organization', dispute.fee_cents],
    ['No invoice accounts for', dispute.unallocated_cents],
  ];
  return (
    <KeyValuePairs
      columns={4}
      items={[
        { label: 'Status', value: <DisputeStatus {...dispute} /> },
        { label: 'Evidence due', value: evidence_due_at ? <Time at={evidence_due_at} /> : '–' },
        ...amounts.map(([label, cents]) => ({ label, value: formatCents(cents, currency) })),
        { label: 'Reason', value: dispute.reason },
        { label: 'Charge at the provider', value: dispute.processor_payment_id },
        { label: 'Opened', value: <Time at={dispute.opened_at} /> },
        {
          label: 'Paid',
          value: (
            <SpaceBetween size="xxs">
              {remittance && <LinkTo href={`/console/remittances/${remittance}`}>The remittance</LinkTo>}
              {dispute.invoices.map((invoice, at) => (
                <LinkTo key={invoice} href={`/console/invoices/${invoice}`}>{`Invoice ${at + 1}`}</LinkTo>
              ))}
            </SpaceBetween>
          ),
        },
      ]}
    />
  );
}
