/** Requests about people of all organizations, for platform admins. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { send } from '../../../api/send';
import { useList } from '../../../api/useList';
import { givenFilters } from '../../../parts/givenFilters';
import { PAGE_SIZE } from '../../../parts/RowsTable';

export type Person = Schema<'PlatformPerson'>;
export type PlatformAdmin = Schema<'PlatformAdmin'>;

const PEOPLE = 'platform-people';
const ADMINS = 'platform-admins';

type Filters = Record<string, string | undefined>;

/** The people whose address or name begins with `q` of the address. */
export function usePeople(filters: Filters) {
  const query = { ...givenFilters(filters, ['q', 'page']), page_size: PAGE_SIZE };
  return useList([PEOPLE, query], () => client.GET('/api/platform/users/', { params: { query } }));
}

export function usePlatformAdmins(filters: Filters) {
  const query = { ...givenFilters(filters, ['page']), page_size: PAGE_SIZE };
  return useList([ADMINS, query], () => client.GET('/api/platform/admins/', { params: { query } }));
}

export type AccountAction = 'disable' | 'enable' | 'grant' | 'revoke';

const REQUESTS: Readonly<Record<AccountAction, (id: string, reason?: string) => Promise<Result<unknown>>>> = {
  disable: (id, reason) =>
    client.POST('/api/platform/users/{id}/disable/', {
      params: { path: { id } },
      body: reason === undefined ? {} : { leave_without_admin: true, reason },
    }),
  enable: (id) => client.POST('/api/platform/users/{id}/enable/', { params: { path: { id } } }),
  grant: (user) => client.POST('/api/platform/admins/', { body: { user } }),
  revoke: (id) => client.DELETE('/api/platform/admins/{id}/', { params: { path: { id } } }),
};

/** Changes an account. With a reason, disabling it may leave organizations without an admin. */
export function useAccountAction(id: string, action: AccountAction) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason?: string) => send(() => REQUESTS[action](id, reason)),
    onSettled: () => Promise.all([PEOPLE, ADMINS].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}
