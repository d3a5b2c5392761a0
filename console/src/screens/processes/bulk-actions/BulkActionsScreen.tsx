import { LinkTo } from '../../../parts/LinkTo';
import { Page } from '../../../parts/Page';
import { RowsTable } from '../../../parts/RowsTable';
import { Since, Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { BulkActionStatus } from './BulkActionStatus';
import { type BulkActionSummary, useBulkActions } from './queries';
import { titleOf } from './words';

const COLUMNS = [
  {
    id: 'title',
    header: 'Bulk action',
    cell: (row: BulkActionSummary) => (
      <LinkTo href={`/console/processes/bulk-actions/${row.id}`}>{titleOf(row)}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'status', header: 'Status', cell: ({ status }: BulkActionSummary) => <BulkActionStatus status={status} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }: BulkActionSummary) => reason },
  { id: 'started', header: 'Started', cell: ({ created_at }: BulkActionSummary) => <Since at={created_at} /> },
  {
    id: 'ended',
    header: 'Ended',
    cell: ({ ended_at }: BulkActionSummary) => (ended_at === null ? '–' : <Time at={ended_at} />),
  },
];

/** Earlier bulk actions, the latest first. */
export function BulkActionsScreen() {
  const [filters] = useFilters();
  return (
    <Page title="Bulk actions" description="To start one, select processes in their list.">
      <RowsTable
        query={useBulkActions(filters)}
        title="Bulk actions"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="No process was retried or cancelled in bulk."
      />
    </Page>
  );
}
