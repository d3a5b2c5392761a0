import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { RowsTable } from '../../../parts/RowsTable';
import { Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { type BulkAction, type Target, useTargets } from './queries';
import { OUTCOME_LABELS, OUTCOME_TYPES, refusalText } from './words';

const COLUMNS = [
  {
    id: 'process',
    header: 'Process',
    cell: ({ id, label }: Target) => <LinkTo href={`/console/processes/${id}`}>{label ?? 'Unknown process'}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'outcome', header: 'Outcome', cell: (target: Target) => <Outcome target={target} /> },
  {
    id: 'requested',
    header: 'Requested',
    cell: ({ claimed_at }: Target) => (claimed_at === null ? '–' : <Time at={claimed_at} />),
  },
  {
    id: 'observed',
    header: 'Observed',
    cell: ({ finished_at }: Target) => (finished_at === null ? '–' : <Time at={finished_at} />),
  },
];

/** What was observed of each process. */
export function Targets({ bulkAction }: { bulkAction: BulkAction }) {
  const [filters] = useFilters();
  return (
    <SpaceBetween size="l">
      <ColumnLayout columns={3}>
        <FilterSelect label="Outcome" name="outcome" all="Any outcome" options={OUTCOME_LABELS} />
      </ColumnLayout>
      <RowsTable
        query={useTargets(bulkAction, filters)}
        title="Processes"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="No process has this outcome."
      />
    </SpaceBetween>
  );
}

function Outcome({ target: { outcome, code, claimed_at } }: { target: Target }) {
  if (outcome === null)
    return <StatusIndicator type="pending">{claimed_at === null ? 'Not begun' : 'In progress'}</StatusIndicator>;
  return (
    <StatusIndicator type={OUTCOME_TYPES[outcome]}>
      <span className="words">
        {OUTCOME_LABELS[outcome]}
        {code !== null && `: ${refusalText(code).toLowerCase()}`}
      </span>
    </StatusIndicator>
  );
}
