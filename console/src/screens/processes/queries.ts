/** Requests of the process screens. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';

export type ProcessRow = Schema<'ProcessSummary'>;
export type Process = Schema<'Process'>;
export type RetryResult = Schema<'ProcessRetry'>;
export type CancelResult = Schema<'ProcessCancel'>;

const FILTERS = ['kind', 'status', 'stuck', 'subject', 'chapter', 'started_after', 'started_before', 'page'];

/** The list with the filters of the address. */
export function useProcesses(filters: Record<string, string | undefined>) {
  const query = { ...givenFilters(filters, FILTERS), page_size: PAGE_SIZE };
  return useList(['processes', query], () => client.GET('/api/processes/', { params: { query } }), POLLED);
}

const processKey = (id: string): string[] => ['process', id];

export const useProcess = (id: string) =>
  useQuery({
    queryKey: processKey(id),
    queryFn: () => send(() => client.GET('/api/processes/{id}/', { params: { path: { id } } })),
    ...POLLED,
  });

export type ActionName = Process['actions'][number]['action'];

/** Retries or cancels a process. What the API has observed then replaces the shown state. */
export function useAction(id: string, action: ActionName) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string): Promise<RetryResult | CancelResult> => {
      const options = { params: { path: { id } }, body: { reason } };
      return send<RetryResult | CancelResult>(() =>
        action === 'retry'
          ? client.POST('/api/processes/{id}/retry/', options)
          : client.POST('/api/processes/{id}/cancel/', options),
      );
    },
    onSuccess: ({ process }) => queries.setQueryData(processKey(id), process),
    // After a lost answer, the state tells what has happened.
    onError: () => queries.invalidateQueries({ queryKey: processKey(id) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['processes'] }),
  });
}
