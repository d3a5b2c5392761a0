/** Requests of the screens of money cases. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';
import { useOrganizationId } from '../../../parts/useOrganizationId';

export type CaseRow = Schema<'MoneyCase'>;
export type Case = Schema<'MoneyCaseDetail'>;
type Resolution = Schema<'MoneyCaseResolution'>;

/** The list with the filters of the address. */
export function useCases(filters: Record<string, string | undefined>) {
  const path = { organization_id: useOrganizationId() };
  const query = { ...givenFilters(filters, ['status', 'kind', 'ordering', 'page']), page_size: PAGE_SIZE };
  const request = () => client.GET('/api/organizations/{organization_id}/money-cases/', { params: { path, query } });
  return useList(['money-cases', query], request, POLLED);
}

const caseKey = (id: string): string[] => ['money-case', id];

export function useCase(id: string) {
  const path = { organization_id: useOrganizationId(), id };
  return useQuery({
    queryKey: caseKey(id),
    queryFn: () =>
      send(() => client.GET('/api/organizations/{organization_id}/money-cases/{id}/', { params: { path } })),
  });
}

/** Decides a case. @param onDone is called before the closed case is shown, which removes the dialog */
export function useResolution(id: string, onDone: () => void) {
  const queries = useQueryClient();
  const path = { organization_id: useOrganizationId(), id };
  return useMutation({
    mutationFn: (body: Resolution) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/money-cases/{id}/resolve/', { params: { path }, body }),
      ),
    onSuccess: (resolved) => {
      onDone();
      queries.setQueryData(caseKey(id), resolved);
    },
    onError: () => queries.invalidateQueries({ queryKey: caseKey(id) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['money-cases'] }),
  });
}
