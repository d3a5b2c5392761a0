import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { Cents } from '../../parts/Cents';
import { LinkTo } from '../../parts/LinkTo';
import type { Remittance } from './queries';

type Allocation = Remittance['allocations'][number];

/** The invoices that the remittance pays, or was meant to pay. */
export function Allocations({ remittance: { allocations, currency } }: { remittance: Remittance }) {
  const columns = [
    {
      id: 'payer',
      header: 'Payer',
      cell: ({ payer_name, invoice }: Allocation) => (
        <LinkTo href={`/console/invoices/${invoice}`}>{payer_name ?? 'Invoice'}</LinkTo>
      ),
      isRowHeader: true,
    },
    { id: 'state', header: 'Payment', cell: (allocation: Allocation) => <State allocation={allocation} /> },
  ];
  const amount = {
    id: 'amount',
    header: 'Requested',
    cell: ({ amount_cents }: Allocation) => <Cents cents={amount_cents} currency={currency} />,
  };
  const showsAmounts = allocations.some(({ amount_cents }) => amount_cents !== null);
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${allocations.length})`}>
          Invoices
        </Header>
      }
      items={allocations}
      columnDefinitions={showsAmounts ? [...columns, amount] : columns}
      trackBy="id"
      wrapLines
      ariaLabels={{ tableLabel: 'Invoices' }}
    />
  );
}

function State({ allocation: { payment, is_stale, invoice_status } }: { allocation: Allocation }) {
  if (payment !== null) return <StatusIndicator type="success">Paid by this remittance</StatusIndicator>;
  if (invoice_status === 'void') return <StatusIndicator type="warning">The invoice is void</StatusIndicator>;
  if (is_stale) return <StatusIndicator type="warning">Less is due than was requested</StatusIndicator>;
  return <StatusIndicator type="pending">Not paid</StatusIndicator>;
}
