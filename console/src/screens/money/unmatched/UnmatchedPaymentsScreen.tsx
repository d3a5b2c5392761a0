import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { Page } from '../../../parts/Page';
import { RowsTable } from '../../../parts/RowsTable';
import { Since } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { Reload } from '../../../parts/Reload';
import { AmountOf } from './AmountOf';
import { type Unmatched, useUnmatchedPayments } from './queries';
import { UnmatchedState } from './UnmatchedState';

const COLUMNS = [
  {
    id: 'charge',
    header: 'Charge at the provider',
    cell: ({ id, processor_payment_id }: Unmatched) => (
      <LinkTo href={`/console/unmatched-payments/${id}`}>{processor_payment_id}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'state', header: 'Status', cell: (payment: Unmatched) => <UnmatchedState {...payment} /> },
  {
    id: 'amount',
    header: 'Amount',
    cell: (payment: Unmatched) => <AmountOf payment={payment} cents={payment.amount_cents} />,
  },
  { id: 'received', header: 'Received', cell: ({ created_at }: Unmatched) => <Since at={created_at} /> },
];

/** The list of charges that match no invoice or remittance. */
export function UnmatchedPaymentsScreen() {
  const [filters] = useFilters();
  const query = useUnmatchedPayments(filters);
  return (
    <Page
      title="Unmatched payments"
      description="Charges that match no invoice or remittance."
      actions={<Reload query={query} />}
    >
      <FilterSelect
        label="Status"
        name="resolved"
        all="Decided or not"
        options={{ false: 'To be decided', true: 'Decided' }}
      />
      <RowsTable
        query={query}
        title="Unmatched payments"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={filters['resolved'] === 'false' ? 'No payment waits for a decision.' : 'There are no such payments.'}
      />
    </Page>
  );
}
