import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import { Day } from '../../parts/Day';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { RowsTable } from '../../parts/RowsTable';
import { Since } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { type DuesRun, useDuesRuns, useTermNames } from './queries';
import { RUN_LABELS, RunStatus } from './RunStatus';

const COLUMNS = [
  {
    id: 'term',
    header: 'Term',
    cell: ({ id, term_name }: DuesRun) => <LinkTo href={`/console/dues-runs/${id}`}>{term_name}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'status', header: 'Status', cell: ({ status }: DuesRun) => <RunStatus status={status} /> },
  {
    id: 'invoices',
    header: 'Invoices issued',
    cell: ({ invoices_issued, invoices_planned }: DuesRun) => `${invoices_issued} of ${invoices_planned}`,
  },
  { id: 'due', header: 'Due', cell: ({ due_date }: DuesRun) => <Day on={due_date} /> },
  { id: 'started', header: 'Started', cell: ({ created_at }: DuesRun) => <Since at={created_at} /> },
];

/** The runs that have issued dues, and the way to a new one. */
export function DuesRunsScreen() {
  const [filters] = useFilters();
  const { open } = useScreens();
  return (
    <Page
      title="Dues runs"
      description="A run issues the invoices of a term to all payers who have none yet."
      actions={
        <Button variant="primary" onClick={() => open('/console/dues-runs/new')}>
          New run
        </Button>
      }
    >
      <ColumnLayout columns={3}>
        <FilterSelect label="Status" name="status" all="Any status" options={RUN_LABELS} />
        <FilterSelect label="Term" name="term" all="All terms" options={useTermNames()} />
      </ColumnLayout>
      <RowsTable
        query={useDuesRuns(filters)}
        title="Runs"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="There are no such runs."
      />
    </Page>
  );
}
