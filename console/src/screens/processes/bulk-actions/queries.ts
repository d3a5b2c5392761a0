/** Requests of the screens about bulk actions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { isRefusedAs, send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';

export type BulkAction = Schema<'ProcessBulkAction'>;
export type BulkActionSummary = Schema<'ProcessBulkActionSummary'>;
export type BulkActionRequest = Pick<Schema<'ProcessBulkActionRequest'>, 'action' | 'filter' | 'ids'>;
export type BulkActionPreview = Schema<'ProcessBulkActionPreview'>;
export type BulkActionName = BulkAction['action'];
export type Target = Schema<'ProcessBulkActionTarget'>;
export type TargetOutcome = NonNullable<Target['outcome']>;

type Filters = Record<string, string | undefined>;

const LIST_KEY = ['bulk-actions'];
const keyOf = (id: string): string[] => ['bulk-action', id];

/** Earlier bulk actions, the latest first. */
export function useBulkActions(filters: Filters) {
  const query = { ...givenFilters(filters, ['page']), page_size: PAGE_SIZE };
  const request = () => client.GET('/api/processes/bulk-actions/', { params: { query } });
  return useList([...LIST_KEY, query], request, POLLED);
}

/** One bulk action with its totals, read again until it has ended. */
export const useBulkAction = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: () => send(() => client.GET('/api/processes/bulk-actions/{id}/', { params: { path: { id } } })),
    refetchInterval: ({ state }) => state.data?.ended_at === null && POLLED.refetchInterval,
  });

/** The targets of a bulk action. They are read again until it has ended, and once after that. */
export function useTargets({ id, status, ended_at }: BulkAction, filters: Filters) {
  const query = { ...givenFilters(filters, ['outcome', 'page']), page_size: PAGE_SIZE };
  const request = () => client.GET('/api/processes/bulk-actions/{id}/targets/', { params: { path: { id }, query } });
  return useList([...keyOf(id), 'targets', query, status], request, {
    refetchInterval: ended_at === null && POLLED.refetchInterval,
  });
}

/** Asks what a bulk action would do. Nothing changes. The answer stays as it is until it is asked for again. */
export const usePreview = (request: BulkActionRequest) =>
  useQuery({
    queryKey: ['bulk-action-preview', request],
    queryFn: async () => {
      const answer = await send<BulkAction | BulkActionPreview>(() =>
        client.POST('/api/processes/bulk-actions/', { body: { ...request, dry_run: true } }),
      );
      return answer as BulkActionPreview;
    },
    staleTime: Infinity,
    gcTime: 0,
  });

interface Confirmed {
  onStarted: (id: string) => void;
  /** The API refuses the preview, because it would be another one now. */
  onStale: () => void;
}

/** Starts the bulk action as previewed. The same preview sent again gives the same bulk action. */
export function useConfirmation({ action, ids, preview_hash }: BulkActionPreview, { onStarted, onStale }: Confirmed) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (reason: string) => {
      const body = { action, dry_run: false, ids, preview_hash, reason };
      const answer = await send<BulkAction | BulkActionPreview>(() =>
        client.POST('/api/processes/bulk-actions/', { body }),
      );
      return answer as BulkAction;
    },
    onSuccess: ({ id }) => onStarted(id),
    onError: (error) => {
      if (isRefusedAs(error, 'preview_stale')) onStale();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

/** Ends a bulk action before its next page of targets. */
export function useStop(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(() => client.POST('/api/processes/bulk-actions/{id}/stop/', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}
