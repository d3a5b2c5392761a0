/** Requests of the ledger checks. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type LedgerCheck = Schema<'LedgerCheck'>;

const LIST = 'ledger-checks';

export function useLedgerChecks(filters: Record<string, string | undefined>) {
  const organization_id = useOrganizationId();
  const query = { ...givenFilters(filters, ['status', 'page']), page_size: PAGE_SIZE };
  const params = { path: { organization_id }, query };
  const request = () => client.GET('/api/organizations/{organization_id}/ledger-checks/', { params });
  return useList([LIST, organization_id, query], request, POLLED);
}

/** One check, read again until it has ended. */
export function useLedgerCheck(id: string) {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: ['ledger-check', organization_id, id],
    queryFn: () =>
      send(() =>
        client.GET('/api/organizations/{organization_id}/ledger-checks/{id}/', {
          params: { path: { organization_id, id } },
        }),
      ),
    refetchInterval: ({ state }) => state.data?.status === 'running' && POLLED.refetchInterval,
  });
}

/** Starts a check. */
export function useNewLedgerCheck(onStarted: (check: LedgerCheck) => void) {
  const queries = useQueryClient();
  const organization_id = useOrganizationId();
  return useMutation({
    mutationFn: () =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/ledger-checks/', { params: { path: { organization_id } } }),
      ),
    onSuccess: onStarted,
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}
