/** Requests about alerts to all organizations. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';

export type PlatformAlert = Schema<'PlatformAlert'>;
export type Audience = PlatformAlert['audience'];

const LIST = 'platform-alerts';

export function useAlerts(filters: Record<string, string | undefined>) {
  const query = { ...givenFilters(filters, ['status', 'audience', 'page']), page_size: PAGE_SIZE };
  return useList([LIST, query], () => client.GET('/api/platform/alerts/', { params: { query } }), POLLED);
}

/** Publishes an alert to every organization. */
export function useNewAlert() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'PlatformAlertCreate'>) => send(() => client.POST('/api/platform/alerts/', { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}
