import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { Cents } from '../../parts/Cents';
import type { Invoice } from './queries';

type Line = Invoice['lines'][number];

const COLUMNS = [
  { id: 'description', header: 'Description', cell: ({ description }: Line) => description, isRowHeader: true },
  { id: 'quantity', header: 'Quantity', cell: ({ quantity }: Line) => quantity },
];

export function InvoiceLines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  const amounts = [
    {
      id: 'unit',
      header: 'Each',
      cell: ({ unit_amount_cents }: Line) => <Cents cents={unit_amount_cents} currency={currency} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      cell: ({ amount_cents }: Line) => <Cents cents={amount_cents} currency={currency} />,
    },
  ];
  const showsAmounts = lines.some(({ amount_cents }) => amount_cents !== null);
  return (
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
      columnDefinitions={showsAmounts ? [...COLUMNS, ...amounts] : COLUMNS}
      ariaLabels={{ tableLabel: 'Lines' }}
      empty={<Box color="text-body-secondary">The invoice has no lines.</Box>}
    />
  );
}
