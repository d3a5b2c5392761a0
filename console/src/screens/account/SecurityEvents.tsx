import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Row } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { PAGE_SIZE, RowsTable } from '../../parts/RowsTable';
import { Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';

type SecurityEvent = Row<'/api/auth/security-events/'>;

const COLUMNS = [
  { id: 'time', header: 'Time', cell: ({ created_at }: SecurityEvent) => <Time at={created_at} />, isRowHeader: true },
  { id: 'kind', header: 'Event', cell: ({ kind }: SecurityEvent) => kind },
  { id: 'ip', header: 'IP address', cell: ({ ip_address }: SecurityEvent) => ip_address ?? '–' },
  { id: 'device', header: 'Device', cell: ({ user_agent }: SecurityEvent) => user_agent ?? '–' },
];

export function SecurityEvents() {
  const [{ page = '1' }] = useFilters();
  const query = useQuery({
    queryKey: ['security-events', page],
    queryFn: () =>
      send(() =>
        client.GET('/api/auth/security-events/', {
          params: { query: { page: Number(page), page_size: PAGE_SIZE } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
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
