import Button from '@cloudscape-design/components/button';
import { Failure } from '../../parts/Failure';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { RowsTable } from '../../parts/RowsTable';
import { Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { CHECK_LABELS, CheckStatus } from './CheckStatus';
import { brokenRules, starterOf } from './rules';
import { type LedgerCheck, useLedgerChecks, useNewLedgerCheck } from './queries';

const COLUMNS = [
  {
    id: 'started',
    header: 'Started',
    cell: ({ id, started_at }: LedgerCheck) => (
      <LinkTo href={`/console/ledger-checks/${id}`}>
        <Time at={started_at} />
      </LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'starter', header: 'Started by', cell: starterOf },
  { id: 'status', header: 'Result', cell: ({ status }: LedgerCheck) => <CheckStatus status={status} /> },
  { id: 'examined', header: 'Rows examined', cell: ({ examined }: LedgerCheck) => examined.toLocaleString() },
  { id: 'broken', header: 'Broken rules', cell: (check: LedgerCheck) => brokenRules(check).length },
  {
    id: 'finished',
    header: 'Finished',
    cell: ({ finished_at }: LedgerCheck) => (finished_at === null ? '–' : <Time at={finished_at} />),
  },
];

/** The checks of the organization's books, and a button that starts one. */
export function LedgerChecksScreen() {
  const [filters] = useFilters();
  const { open } = useScreens();
  const query = useLedgerChecks(filters);
  const start = useNewLedgerCheck(({ id }) => open(`/console/ledger-checks/${id}`));
  return (
    <Page
      title="Ledger checks"
      description="A check applies the rules of the ledger to all rows of the organization. It changes nothing. One runs each night."
      actions={
        <Button variant="primary" loading={start.isPending} onClick={() => start.mutate()}>
          Check the ledger
        </Button>
      }
    >
      {start.error && <Failure error={start.error} />}
      <FilterSelect label="Result" name="status" all="Any result" options={CHECK_LABELS} />
      <RowsTable
        query={query}
        title="Checks"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={filters['status'] ? 'There are no such checks.' : 'The ledger was not checked yet.'}
      />
    </Page>
  );
}
