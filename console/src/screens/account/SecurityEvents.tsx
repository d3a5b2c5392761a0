import type { Row } from 'chapter-membership-client';
import { client } from '../../api/client';
import { useList } from '../../api/useList';
import { PAGE_SIZE, RowsTable } from '../../parts/RowsTable';
import { Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { words } from '../processes/kinds';

type SecurityEvent = Row<'/api/auth/security-events/'>;

const COLUMNS = [
  { id: 'time', header: 'Time', cell: ({ created_at }: SecurityEvent) => <Time at={created_at} />, isRowHeader: true },
  { id: 'kind', header: 'Event', cell: ({ kind }: SecurityEvent) => words(kind.replaceAll('.', ' ')) },
  { id: 'ip', header: 'IP address', cell: ({ ip_address }: SecurityEvent) => ip_address ?? '–' },
  { id: 'device', header: 'Device', cell: ({ user_agent }: SecurityEvent) => user_agent ?? '–' },
];

export function SecurityEvents() {
  const [{ page = '1' }] = useFilters();
  const query = useList(['security-events', page], () =>
    client.GET('/api/auth/security-events/', { params: { query: { page: Number(page), page_size: PAGE_SIZE } } }),
  );
  return (
    <RowsTable
      query={query}
      title="What happened to your account"
      columns={COLUMNS}
      rowId={({ id }) => id}
      empty="Nothing has happened yet."
    />
  );
}
