/** Requests of the screens about approvals. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';
import { type ApprovalKind, QUEUES, type Review } from './queues';

const FILTERS = ['kind', 'chapter', 'ordering', 'page'];

const ITEMS = '/api/organizations/{organization_id}/approvals/items/';

/** The pending requests with the filters of the address. */
export function useApprovals(filters: Record<string, string | undefined>) {
  const organization_id = useOrganizationId();
  const query = { ...givenFilters(filters, FILTERS), page_size: PAGE_SIZE };
  return useList(
    ['approvals', organization_id, query],
    () => client.GET(ITEMS, { params: { path: { organization_id }, query } }),
    { enabled: organization_id !== '', ...POLLED },
  );
}

/** The entry of a pending request in the inbox; null if it is decided, or not listed for the person. */
export function useApproval(kind: ApprovalKind, id: string) {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: ['approvals', organization_id, kind, id],
    queryFn: async () => {
      const items = await send(() => client.all(ITEMS, { params: { path: { organization_id }, query: { kind } } }));
      return items.find((item) => item.id === id) ?? null;
    },
    enabled: organization_id !== '',
  });
}

/** A request as its queue shows it. */
export function useRequest(kind: ApprovalKind, id: string) {
  const organizationId = useOrganizationId();
  return useQuery({
    queryKey: ['approval-request', organizationId, kind, id],
    queryFn: () => QUEUES[kind].read(organizationId, id),
    enabled: organizationId !== '',
  });
}

/** Decides one request in its queue. */
export function useDecision(kind: ApprovalKind, id: string) {
  const organizationId = useOrganizationId();
  return useMutation({
    mutationFn: (body: Review) => QUEUES[kind].review(organizationId, id, body),
    onSettled: useRefresh(),
  });
}

/** Decides several requests of one kind. */
export function useBulkDecision(kind: ApprovalKind) {
  const organizationId = useOrganizationId();
  const { reviewAll } = QUEUES[kind];
  return useMutation({
    mutationFn: async (body: Schema<'BulkReview'>) => {
      if (!reviewAll) throw new Error(`The queue ${kind} decides one request at a time.`);
      return reviewAll(organizationId, body);
    },
    onSettled: useRefresh(),
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      ['approvals', 'approval-request', 'console-summary'].map((name) =>
        queries.invalidateQueries({ queryKey: [name] }),
      ),
    );
}
