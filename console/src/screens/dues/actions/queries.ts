/** Requests that change an invoice. After each, also after a failed one, the invoice is read again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { useEffect, useRef } from 'react';
import { client } from '../../../api/client';
import { POLLED } from '../../../api/polling';
import { send } from '../../../api/send';
import { useOrganizationId } from '../../../parts/useOrganizationId';
import type { Invoice } from '../queries';

export type Refund = Schema<'Refund'>;
export type RefundAnswer = Schema<'Refunded'> | Schema<'RefundRequest'>;
export type RegenerationPreview = Schema<'InvoiceRegenerationPreview'>;

function useChange<Body, Answer>(id: string, request: (body: Body) => Promise<Result<Answer>>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => send(() => request(body)),
    // The dialog closes without waiting for these reads.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['invoice', id] });
      void queries.invalidateQueries({ queryKey: ['invoices'] });
    },
  });
}

export const useRefund = (id: string) =>
  useChange<Schema<'InvoiceRefund'>, RefundAnswer>(id, (body) =>
    client.POST('/api/invoices/{id}/refund/', { params: { path: { id } }, body }),
  );

export const useAdjustment = (id: string) =>
  useChange<Schema<'InvoiceAdjust'>, Invoice>(id, (body) =>
    client.POST('/api/invoices/{id}/adjust/', { params: { path: { id } }, body }),
  );

export const useVoiding = (id: string) =>
  useChange<Schema<'InvoiceVoid'>, Invoice>(id, (body) =>
    client.POST('/api/invoices/{id}/void/', { params: { path: { id } }, body }),
  );

/** Asks what would be issued. Nothing changes. */
export function useRegenerationPreview(id: string) {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: ['invoice', id, 'regeneration'],
    queryFn: async () => {
      const answer = await send<Invoice | RegenerationPreview>(() =>
        client.POST('/api/hq/dues/{organization_id}/invoices/{id}/regenerate/', {
          params: { path: { organization_id, id } },
          body: { dry_run: true },
        }),
      );
      return answer as RegenerationPreview;
    },
    // The person decides about the preview that is shown.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Issues exactly what the preview shows. */
export function useRegeneration(id: string) {
  const organization_id = useOrganizationId();
  return useChange<{ preview_hash: string }, Invoice | RegenerationPreview>(id, ({ preview_hash }) =>
    client.POST('/api/hq/dues/{organization_id}/invoices/{id}/regenerate/', {
      params: { path: { organization_id, id } },
      body: { dry_run: false, preview_hash },
    }),
  );
}

/** The refunds of an invoice, read again while the outcome of one is pending. */
export function useRefunds(id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['invoice', id, 'refunds'],
    queryFn: async () => {
      const params = { path: { id }, query: { page_size: 100 } };
      return (await send(() => client.GET('/api/invoices/{id}/refunds/', { params }))).results;
    },
    refetchInterval: ({ state }) => countPending(state.data) > 0 && POLLED.refetchInterval,
  });
  const pending = countPending(query.data);
  const pendingBefore = useRef(pending);
  useEffect(() => {
    // The outcome of a refund changes the invoice.
    if (pending < pendingBefore.current) void queries.invalidateQueries({ queryKey: ['invoice', id] });
    pendingBefore.current = pending;
  }, [pending]);
  return query;
}

const countPending = (refunds: Refund[] = []): number =>
  refunds.filter(({ finished_at }) => finished_at === null).length;
