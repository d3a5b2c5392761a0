import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { LinkTo } from '../../parts/LinkTo';
import { RowsTable } from '../../parts/RowsTable';
import { Since, Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { ChooseAction } from './bulk-actions/ChooseAction';
import { words } from './kinds';
import { MoneyMoved } from './MoneyMoved';
import { ProcessStatus } from './ProcessStatus';
import type { ProcessRow } from './queries';

const COLUMNS = [
  {
    id: 'label',
    header: 'Process',
    cell: (process: ProcessRow) => <LinkTo href={process.console_path}>{process.label}</LinkTo>,
    isRowHeader: true,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (process: ProcessRow) => <ProcessStatus process={process} />,
    minWidth: 140,
  },
  { id: 'stage', header: 'Stage', cell: ({ stage }: ProcessRow) => (stage === null ? '–' : words(stage)) },
  {
    id: 'money',
    header: 'Money moved',
    cell: ({ money_moved }: ProcessRow) => (money_moved ? <MoneyMoved moved={money_moved} /> : '–'),
  },
  { id: 'started', header: 'Started', cell: ({ started_at }: ProcessRow) => <Since at={started_at} /> },
  {
    id: 'closed',
    header: 'Ended',
    cell: ({ closed_at }: ProcessRow) => (closed_at === null ? '–' : <Time at={closed_at} />),
  },
];

interface ProcessTableProps {
  query: UseQueryResult<{ count: number; results: ProcessRow[] }>;
  /** Whether many processes can be retried or cancelled at once: those of one organization can. */
  allowsBulk: boolean;
}

export function ProcessTable({ query, allowsBulk }: ProcessTableProps) {
  const [{ stuck }] = useFilters();
  const [selected, setSelected] = useState<ProcessRow[]>([]);
  // Only rows that are shown are selected: a process may have left the list, or its page.
  const shown = query.data?.results.filter(({ id }) => selected.some((row) => row.id === id)) ?? [];
  return (
    <RowsTable
      query={query}
      title="Processes"
      columns={COLUMNS}
      rowId={({ id }) => id}
      empty={stuck === 'true' ? 'No process is stuck.' : 'There are no such processes.'}
      {...(allowsBulk && {
        actions: <ChooseAction selected={shown} count={query.data?.count ?? 0} />,
        selection: { selected: shown, onChange: setSelected, labelOf: ({ label }: ProcessRow) => label },
      })}
    />
  );
}
