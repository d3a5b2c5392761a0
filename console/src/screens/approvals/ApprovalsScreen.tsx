import ColumnLayout from '@cloudscape-design/components/column-layout';
import { useState } from 'react';
import { ChapterSelect } from '../../parts/ChapterSelect';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { RowsTable } from '../../parts/RowsTable';
import { Since, Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { words } from '../processes/kinds';
import { BulkDecision } from './BulkDecision';
import { MayDecide } from './MayDecide';
import { useApprovals } from './queries';
import { KINDS, type PendingApproval, QUEUES } from './queues';

const KIND_OPTIONS = Object.fromEntries(KINDS.map((kind) => [kind, QUEUES[kind].label]));

const COLUMNS = [
  {
    id: 'title',
    header: 'Request',
    cell: ({ kind, id, title }: PendingApproval) => (
      <LinkTo href={`/console/${QUEUES[kind].path}/${id}`}>{title}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'kind', header: 'Kind', cell: ({ kind }: PendingApproval) => QUEUES[kind].label },
  { id: 'chapter', header: 'Chapter', cell: ({ chapter_name }: PendingApproval) => chapter_name ?? '–' },
  { id: 'tier', header: 'Decided by', cell: ({ tier }: PendingApproval) => words(tier) },
  { id: 'may', header: 'You', cell: (request: PendingApproval) => <MayDecide request={request} /> },
  { id: 'since', header: 'Waits since', cell: ({ since }: PendingApproval) => <Since at={since} /> },
  {
    id: 'expires',
    header: 'Ends',
    cell: ({ expires_at }: PendingApproval) => (expires_at === null ? '–' : <Time at={expires_at} />),
  },
];

/** The inbox: pending requests of all queues. Requests of one kind are decided together where their queue allows it. */
export function ApprovalsScreen() {
  const [filters, change] = useFilters();
  const query = useApprovals(filters);
  const [selected, setSelected] = useState<PendingApproval[]>([]);
  const kind = KINDS.find((name) => name === filters['kind']);
  const decidesSeveral = kind && QUEUES[kind].reviewAll !== undefined;
  // A request that another person has decided meanwhile is not selected any more.
  const stillPending = selected.filter(({ id }) => query.data?.results.some((row) => row.id === id));
  return (
    <Page
      title="Approvals"
      description="Choose a kind to decide several requests at once. Each kind but refunds and payment plans allows it."
    >
      <ColumnLayout columns={3}>
        <FilterSelect label="Kind" name="kind" all="All kinds" options={KIND_OPTIONS} />
        <ChapterSelect
          label="Chapter"
          none="All chapters"
          value={filters['chapter'] ?? ''}
          onChange={(chapter) => change({ chapter })}
        />
        <FilterSelect label="Order" name="ordering" all="Oldest first" options={{ expires_at: 'First to end first' }} />
      </ColumnLayout>
      {decidesSeveral && (
        <BulkDecision key={kind} kind={kind} selected={stillPending} onDecided={() => setSelected([])} />
      )}
      <RowsTable<PendingApproval>
        query={query}
        title="Pending requests"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="No request waits for a decision."
        {...(decidesSeveral && {
          selection: { selected: stillPending, onChange: setSelected, labelOf: ({ title }) => title },
        })}
      />
    </Page>
  );
}
