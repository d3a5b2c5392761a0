/** Requests of the screens about members. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type Member = Schema<'Membership'>;
export type FoundMember = Schema<'FoundMember'>;
export type TransferPreview = Schema<'TransferPreview'>;

type Filters = Record<string, string | undefined>;

const FILTERS = ['status', 'role', 'graduation_year', 'search', 'ordering', 'page'];

/** The roster of a chapter with the filters of the address. */
export function useRoster(chapter: string, filters: Filters) {
  const params = { path: { id: chapter }, query: { ...givenFilters(filters, FILTERS), page_size: PAGE_SIZE } };
  return useList(['members', chapter, params.query], () => client.GET('/api/chapters/{id}/members/', { params }), {
    enabled: chapter !== '',
  });
}

/** Members of all chapters that the person sees, by name. */
export function useFoundMembers(search: string) {
  const organization_id = useOrganizationId();
  const params = { path: { organization_id }, query: { q: search } };
  return useList(
    ['members', 'search', organization_id, search],
    () => client.GET('/api/organizations/{organization_id}/member-search/', { params }),
    {
      enabled: search !== '' && organization_id !== '',
      select: (results) => ({ count: results.length, results }),
    },
  );
}

export const useMember = (id: string) =>
  useQuery({
    queryKey: ['member', id],
    queryFn: () => send(() => client.GET('/api/memberships/{id}/', { params: { path: { id } } })),
  });

/** Mails the invitation of a member again. */
export function useInviteAgain(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => send(() => client.POST('/api/memberships/{id}/invite/', { params: { path: { id } } })),
    onSettled: refresh,
  });
}

/** Adds a member, or files a request to add one where the person may not. */
export function useAddMember(chapter: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schema<'MemberCreate'>) =>
      send(() => client.POST('/api/chapters/{id}/members/', { params: { path: { id: chapter } }, body })),
    onSettled: refresh,
  });
}

interface Transfer {
  to_chapter: string;
  effective_on?: string;
}

/** Previews a transfer. Nothing changes. */
export const useTransferPreview = (id: string) =>
  useMutation({
    mutationFn: async (transfer: Transfer): Promise<TransferPreview> => {
      const body = { ...transfer, dry_run: true };
      const preview = await send(() =>
        client.POST('/api/memberships/{id}/transfer/', { params: { path: { id } }, body }),
      );
      if (!('preview_hash' in preview)) throw new Error('The API has answered a preview with a change.');
      return preview;
    },
  });

/** Makes the transfer of a preview, or schedules it for its day. */
export function useTransfer(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ to_chapter, effective_on, preview_hash }: TransferPreview) => {
      const body = { to_chapter, effective_on, preview_hash, dry_run: false };
      const made = await send(() => client.POST('/api/memberships/{id}/transfer/', { params: { path: { id } }, body }));
      return { isScheduled: 'state' in made };
    },
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => Promise.all(['members', 'member'].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
