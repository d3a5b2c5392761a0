import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import { DayFilter } from '../../parts/DayFilter';
import { Page } from '../../parts/Page';
import { RowsTable } from '../../parts/RowsTable';
import { TextFilter } from '../../parts/TextFilter';
import { Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { Actor } from './Actor';
import { Changes } from './Changes';
import { type AuditEntry, useAuditLog } from './queries';
import { Subject } from './Subject';

const COLUMNS = [
  { id: 'at', header: 'Time', cell: ({ created_at }: AuditEntry) => <Time at={created_at} /> },
  { id: 'action', header: 'Action', cell: ({ action }: AuditEntry) => action, isRowHeader: true },
  { id: 'actor', header: 'Person', cell: ({ actor }: AuditEntry) => <Actor actor={actor} /> },
  { id: 'subject', header: 'Subject', cell: (entry: AuditEntry) => <Subject entry={entry} /> },
  { id: 'changes', header: 'Before and after', cell: (entry: AuditEntry) => <Changes entry={entry} />, minWidth: 260 },
];

/** Who changed what, and when. */
export function AuditLogScreen() {
  const [filters] = useFilters();
  const query = useAuditLog(filters);
  return (
    <Page
      title="Audit log"
      actions={<Button iconName="refresh" ariaLabel="Reload" onClick={() => void query.refetch()} />}
    >
      <ColumnLayout columns={4}>
        <TextFilter label="Action" name="action" />
        <TextFilter label="Kind of subject" name="subject_type" />
        <TextFilter label="Id of the subject" name="subject_id" />
        <TextFilter label="Id of the person" name="actor" />
        <TextFilter label="Id of the request" name="request_id" />
        <DayFilter label="From" name="from" />
        <DayFilter label="To" name="to" />
      </ColumnLayout>
      <RowsTable
        query={query}
        title="Entries"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="The audit log has no such entries."
      />
    </Page>
  );
}
