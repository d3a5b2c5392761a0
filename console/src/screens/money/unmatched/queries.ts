/** Requests of the screens of unmatched payments. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { RequestFailed, send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';
import { useOrganizationId } from '../../../parts/useOrganizationId';

export type Unmatched = Schema<'UnmatchedPayment'>;
export type Resolution = Schema<'UnmatchedPaymentResolve'>;

/** The list with the filters of the address. */
export function useUnmatchedPayments(filters: Record<string, string | undefined>) {
  const path = { organization_id: useOrganizationId() };
  const query = { ...givenFilters(filters, ['resolved', 'page']), page_size: PAGE_SIZE };
  const request = () =>
    client.GET('/api/organizations/{organization_id}/unmatched-payments/', { params: { path, query } });
  return useList(['unmatched-payments', query], request, POLLED);
}

const paymentKey = (id: string): string[] => ['unmatched-payment', id];

/** One payment; null if there is none with this id. The API lists these payments, and has no address for one of them. */
export function useUnmatchedPayment(id: string) {
  const path = { organization_id: useOrganizationId() };
  return useQuery({
    queryKey: paymentKey(id),
    queryFn: async (): Promise<Unmatched | null> => {
      for await (const page of client.pages('/api/organizations/{organization_id}/unmatched-payments/', {
        params: { path },
      })) {
        if (!page.ok) throw new RequestFailed(page);
        const payment = page.data.results.find((row) => row.id === id);
        if (payment) return payment;
      }
      return null;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'refunding' ? POLLED.refetchInterval : false),
  });
}

/** Decides a payment. @param onDone is called before the decided payment is shown, which removes the dialog */
export function useResolution(id: string, onDone: (payment: Unmatched) => void) {
  const queries = useQueryClient();
  const path = { organization_id: useOrganizationId(), id };
  return useMutation({
    mutationFn: (body: Resolution) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/unmatched-payments/{id}/resolve/', {
          params: { path },
          body,
        }),
      ),
    onSuccess: (payment) => {
      onDone(payment);
      queries.setQueryData(paymentKey(id), payment);
    },
    onError: () => queries.invalidateQueries({ queryKey: paymentKey(id) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['unmatched-payments'] }),
  });
}

const MIN_SEARCH_LENGTH = 2;

/** Members by a part of their name. */
export function useMemberSearch(q: string) {
  const path = { organization_id: useOrganizationId() };
  const request = () =>
    client.GET('/api/organizations/{organization_id}/member-search/', { params: { path, query: { q } } });
  return useList(['member-search', q], request, { enabled: q.length >= MIN_SEARCH_LENGTH });
}
