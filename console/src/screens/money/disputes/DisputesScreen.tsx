import { Cents } from '../../../parts/Cents';
import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { Page } from '../../../parts/Page';
import { RowsTable } from '../../../parts/RowsTable';
import { Since, Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { Reload } from '../../../parts/Reload';
import { DisputeStatus, STATUS_LABELS } from './DisputeStatus';
import { type Dispute, useDisputes } from './queries';

const COLUMNS = [
  {
    id: 'id',
    header: 'Dispute at the provider',
    cell: ({ id, gateway_dispute_id }: Dispute) => (
      <LinkTo href={`/console/disputes/${id}`}>{gateway_dispute_id}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'status', header: 'Status', cell: (dispute: Dispute) => <DisputeStatus {...dispute} /> },
  {
    id: 'due',
    header: 'Evidence due',
    cell: ({ evidence_due_at }: Dispute) => (evidence_due_at ? <Time at={evidence_due_at} /> : '–'),
  },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount_cents, currency }: Dispute) => <Cents cents={amount_cents} currency={currency} />,
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }: Dispute) => reason },
  { id: 'opened', header: 'Opened', cell: ({ opened_at }: Dispute) => <Since at={opened_at} /> },
];

/** The list of disputed payments. */
export function DisputesScreen() {
  const [filters] = useFilters();
  const query = useDisputes(filters);
  return (
    <Page title="Disputes" actions={<Reload query={query} />}>
      <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
      <RowsTable
        query={query}
        title="Disputes"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="There are no such disputes."
      />
    </Page>
  );
}
