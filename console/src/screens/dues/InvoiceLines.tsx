import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { Cents } from '../../parts/Cents';
import type { Invoice } from './queries';

type Line = Invoice['lines'][number];

export const InvoiceLines = ({ invoice: { lines, currency } }: { invoice: Invoice }) => (
  <Table<Line>
    variant="container"
    wrapLines
    header={
      <Header variant="h2" counter={`(${lines.length})`}>
        Lines
      </Header>
    }
    items={lines}
    trackBy="id"
    columnDefinitions={[
      { id: 'description', header: 'Description', cell: ({ description }) => description, isRowHeader: true },
      { id: 'quantity', header: 'Quantity', cell: ({ quantity }) => quantity },
      {
        id: 'unit',
        header: 'Each',
        cell: ({ unit_amount_cents }) => <Cents cents={unit_amount_cents} currency={currency} />,
      },
      {
        id: 'amount',
        header: 'Amount',
        cell: ({ amount_cents }) => <Cents cents={amount_cents} currency={currency} />,
      },
    ]}
    ariaLabels={{ tableLabel: 'Lines' }}
    empty={<Box color="text-body-secondary">The invoice has no lines.</Box>}
  />
);
