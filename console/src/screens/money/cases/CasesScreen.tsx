import ColumnLayout from '@cloudscape-design/components/column-layout';
import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { Page } from '../../../parts/Page';
import { RowsTable } from '../../../parts/RowsTable';
import { Since, Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { InCurrency } from '../../../parts/InCurrency';
import { Reload } from '../../../parts/Reload';
import { CaseStatus, STATUS_LABELS } from './CaseStatus';
import { KINDS } from './kinds';
import { type CaseRow, useCases } from './queries';

const COLUMNS = [
  {
    id: 'kind',
    header: 'Case',
    cell: ({ id, kind }: CaseRow) => <LinkTo href={`/console/money-cases/${id}`}>{KINDS[kind]}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'amount', header: 'Amount', cell: ({ amount_cents }: CaseRow) => <InCurrency cents={amount_cents} /> },
  { id: 'status', header: 'Status', cell: (row: CaseRow) => <CaseStatus {...row} /> },
  { id: 'opened', header: 'Opened', cell: ({ created_at }: CaseRow) => <Since at={created_at} /> },
  {
    id: 'closed',
    header: 'Closed',
    cell: ({ closed_at }: CaseRow) => (closed_at ? <Time at={closed_at} /> : '–'),
  },
];

/** The list of money cases: money that needs a decision. */
export function CasesScreen() {
  const [filters] = useFilters();
  const query = useCases(filters);
  return (
    <Page title="Money cases" description="Money that needs a decision." actions={<Reload query={query} />}>
      <ColumnLayout columns={2}>
        <FilterSelect label="Status" name="status" all="Open and closed" options={STATUS_LABELS} />
        <FilterSelect label="Kind" name="kind" all="All kinds" options={KINDS} />
      </ColumnLayout>
      <RowsTable
        query={query}
        title="Money cases"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={filters['status'] === 'open' ? 'No case is open.' : 'There are no such cases.'}
      />
    </Page>
  );
}
