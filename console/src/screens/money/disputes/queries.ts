/** Requests of the screens of disputes. */
import { useQuery } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';
import { useOrganizationId } from '../../../parts/useOrganizationId';

export type Dispute = Schema<'PaymentDispute'>;

/** The list with the filters of the address. */
export function useDisputes(filters: Record<string, string | undefined>) {
  const path = { organization_id: useOrganizationId() };
  const query = { ...givenFilters(filters, ['status', 'page']), page_size: PAGE_SIZE };
  const request = () => client.GET('/api/organizations/{organization_id}/disputes/', { params: { path, query } });
  return useList(['disputes', query], request, POLLED);
}

export function useDispute(id: string) {
  const path = { organization_id: useOrganizationId(), id };
  return useQuery({
    queryKey: ['dispute', id],
    queryFn: () => send(() => client.GET('/api/organizations/{organization_id}/disputes/{id}/', { params: { path } })),
    ...POLLED,
  });
}
