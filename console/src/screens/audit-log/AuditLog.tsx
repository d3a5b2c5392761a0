import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { UseQueryResult } from '@tanstack/react-query';
import { CsvButton } from '../../parts/CsvButton';
import { DayFilter } from '../../parts/DayFilter';
import { Failure } from '../../parts/Failure';
import { RowsTable } from '../../parts/RowsTable';
import { TextFilter } from '../../parts/TextFilter';
import { Time } from '../../parts/Time';
import { Actor } from './Actor';
import { Changes } from './Changes';
import type { AuditEntry } from './queries';
import { Subject } from './Subject';

const COLUMNS: TableProps.ColumnDefinition<AuditEntry>[] = [
  { id: 'at', header: 'Time', cell: ({ created_at }) => <Time at={created_at} />, minWidth: 110 },
  { id: 'action', header: 'Action', cell: ({ action }) => action, isRowHeader: true },
  { id: 'actor', header: 'Person', cell: ({ actor }) => <Actor actor={actor} />, minWidth: 130 },
  { id: 'subject', header: 'Subject', cell: (entry) => <Subject entry={entry} /> },
  { id: 'changes', header: 'Before and after', cell: (entry) => <Changes entry={entry} />, minWidth: 260 },
];

interface AuditLogProps {
  query: UseQueryResult<{ count: number; results: AuditEntry[] }>;
  /** Downloads the entries that match the filters. */
  csv: { isPending: boolean; error: unknown; mutate: () => void };
}

/** The entries of a log, with filters. */
export const AuditLog = ({ query, csv }: AuditLogProps) => (
  <SpaceBetween size="l">
    <ColumnLayout columns={4}>
      <TextFilter label="Action" name="action" />
      <TextFilter label="Kind of subject" name="subject_type" />
      <TextFilter label="Id of the subject" name="subject_id" />
      <TextFilter label="Id of the person" name="actor" />
      <TextFilter label="Id of the request" name="request_id" />
      <DayFilter label="From" name="from" />
      <DayFilter label="To" name="to" />
    </ColumnLayout>
    {Boolean(csv.error) && <Failure error={csv.error} />}
    <RowsTable
      query={query}
      title="Entries"
      columns={COLUMNS}
      rowId={({ id }) => id}
      empty="The audit log has no such entries."
      actions={<CsvButton csv={csv} />}
    />
  </SpaceBetween>
);
