/** Requests of the invoices and the dues runs. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { RequestFailed, send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type InvoiceRow = Schema<'InvoiceSummary'>;
export type Invoice = Schema<'Invoice'>;
export type Explanation = Schema<'InvoiceExplanation'>;
export type DuesRun = Schema<'DuesRun'>;
export type DuesRunPreview = Schema<'DuesRunPreview'>;
export type DuesRunRequest = Pick<Schema<'DuesRunRequest'>, 'term' | 'due_date' | 'notify'>;

type Filters = Record<string, string | undefined>;

const INVOICE_FILTERS = ['status', 'payer_type', 'chapter', 'term', 'search', 'due_before', 'due_after', 'page'];
const RUNS = 'dues-runs';

export function useInvoices(filters: Filters) {
  const organization_id = useOrganizationId();
  const query = { ...givenFilters(filters, INVOICE_FILTERS), page_size: PAGE_SIZE };
  return useList(['invoices', organization_id, query], () =>
    client.GET('/api/organizations/{organization_id}/invoices/', { params: { path: { organization_id }, query } }),
  );
}

export const useInvoice = (id: string) =>
  useQuery({
    queryKey: ['invoice', id],
    queryFn: () => send(() => client.GET('/api/invoices/{id}/', { params: { path: { id } } })),
  });

export const useExplanation = (id: string) =>
  useQuery({
    queryKey: ['invoice', id, 'explanation'],
    queryFn: () => send(() => client.GET('/api/invoices/{id}/explain/', { params: { path: { id } } })),
  });

/** All terms of the organization, the latest first. */
export function useTerms() {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: ['terms', organization_id],
    queryFn: async () => {
      const params = { path: { organization_id } };
      const result = await client.all('/api/organizations/{organization_id}/terms/', { params });
      if (!result.ok) throw new RequestFailed(result);
      return result.data;
    },
    staleTime: Infinity,
  });
}

/** The names of the terms by their ids; empty until they are loaded. */
export const useTermNames = (): Record<string, string> =>
  Object.fromEntries(useTerms().data?.map(({ id, name }) => [id, name]) ?? []);

export function useDuesRuns(filters: Filters) {
  const organization_id = useOrganizationId();
  const query = { ...givenFilters(filters, ['status', 'term', 'page']), page_size: PAGE_SIZE };
  return useList(
    [RUNS, organization_id, query],
    () => client.GET('/api/hq/dues/{organization_id}/runs/', { params: { path: { organization_id }, query } }),
    POLLED,
  );
}

/** One run, read again until it has ended. */
export function useDuesRun(id: string) {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: ['dues-run', organization_id, id],
    queryFn: () =>
      send(() =>
        client.GET('/api/hq/dues/{organization_id}/runs/{id}/', { params: { path: { organization_id, id } } }),
      ),
    refetchInterval: ({ state }) => state.data?.status === 'running' && POLLED.refetchInterval,
  });
}

/** Asks what a run would issue. Nothing changes. */
export function usePreview() {
  const organization_id = useOrganizationId();
  return useMutation({
    mutationFn: async (request: DuesRunRequest) => {
      const answer = await send<DuesRun | DuesRunPreview>(() =>
        client.POST('/api/hq/dues/{organization_id}/runs/', {
          params: { path: { organization_id } },
          body: { ...request, dry_run: true },
        }),
      );
      return answer as DuesRunPreview;
    },
  });
}

/** Starts a run that issues what its preview shows. */
export function useNewDuesRun(onStarted: (run: DuesRun) => void) {
  const queries = useQueryClient();
  const organization_id = useOrganizationId();
  return useMutation({
    mutationFn: async (request: DuesRunRequest & { preview_hash: string }) => {
      const answer = await send<DuesRun | DuesRunPreview>(() =>
        client.POST('/api/hq/dues/{organization_id}/runs/', {
          params: { path: { organization_id } },
          body: { ...request, dry_run: false },
        }),
      );
      return answer as DuesRun;
    },
    onSuccess: onStarted,
    onSettled: () => queries.invalidateQueries({ queryKey: [RUNS] }),
  });
}
