import type { UseQueryResult } from '@tanstack/react-query';
import { Cents } from '../../parts/Cents';
import { LinkTo } from '../../parts/LinkTo';
import { RowsTable } from '../../parts/RowsTable';
import { Since, Time } from '../../parts/Time';
import { useChapters } from '../../parts/useChapters';
import { useFilters } from '../../parts/useFilters';
import type { RemittanceRow } from './queries';
import { FLAG_REASONS, RemittanceStatus } from './RemittanceStatus';
import { titleOf } from './title';

export function RemittanceTable({ query }: { query: UseQueryResult<{ count: number; results: RemittanceRow[] }> }) {
  const [{ status }] = useFilters();
  const showsAmounts = query.data?.results.some(({ total_cents }) => total_cents !== null);
  return (
    <RowsTable
      query={query}
      title="Remittances"
      columns={[...useTitleColumn(), ...STATE_COLUMNS, ...(showsAmounts ? AMOUNT_COLUMNS : []), ...TIME_COLUMNS]}
      rowId={({ id }) => id}
      empty={status === 'needs_reconciliation' ? 'No remittance is flagged.' : 'There are no such remittances.'}
    />
  );
}

function useTitleColumn() {
  const chapters = useChapters();
  const cell = (remittance: RemittanceRow) => (
    <LinkTo href={`/console/remittances/${remittance.id}`}>{titleOf(remittance, chapters)}</LinkTo>
  );
  return [{ id: 'title', header: 'Remittance', cell, isRowHeader: true }];
}

const STATE_COLUMNS = [
  { id: 'status', header: 'Status', cell: ({ status }: RemittanceRow) => <RemittanceStatus status={status} /> },
  {
    id: 'reason',
    header: 'Why it is flagged',
    cell: ({ reconciliation_reason: reason, status }: RemittanceRow) =>
      reason && status === 'needs_reconciliation' ? FLAG_REASONS[reason] : '–',
  },
];

const AMOUNT_COLUMNS = [
  {
    id: 'total',
    header: 'Amount',
    cell: ({ total_cents, currency }: RemittanceRow) => <Cents cents={total_cents} currency={currency} />,
  },
];

const TIME_COLUMNS = [
  { id: 'created', header: 'Created', cell: ({ created_at }: RemittanceRow) => <Since at={created_at} /> },
  {
    id: 'settled',
    header: 'Settled',
    cell: ({ settled_at }: RemittanceRow) => (settled_at ? <Time at={settled_at} /> : '–'),
  },
];
