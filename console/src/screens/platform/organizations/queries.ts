/** Requests about organizations, for platform admins. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';

export type Organization = Schema<'Organization'>;

const LIST = 'organizations';
const FILTERS = ['search', 'is_active', 'without_admin', 'ordering', 'page'];

/** The organizations with the filters of the address. */
export function useOrganizations(filters: Record<string, string | undefined>) {
  const query = { ...givenFilters(filters, FILTERS), page_size: PAGE_SIZE };
  return useList([LIST, query], () => client.GET('/api/organizations/', { params: { query } }));
}

/** Creates an organization, and invites its first admin if one is given. */
export function useNewOrganization() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'NewOrganization'>) => send(() => client.POST('/api/platform/organizations/', { body })),
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

/** Suspends an active organization, or reactivates a suspended one. */
export function useSuspension({ id, is_active }: Organization) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const options = { params: { path: { organization_id: id } } };
      return send<Organization>(() =>
        is_active
          ? client.POST('/api/platform/organizations/{organization_id}/suspend/', options)
          : client.POST('/api/platform/organizations/{organization_id}/reactivate/', options),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}
