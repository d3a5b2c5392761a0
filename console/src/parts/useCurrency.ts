import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client';
import { send } from '../api/send';
import { useOrganizationId } from './useOrganizationId';

/** Reads the organization's currency, for rows that have none of their own; null until it is loaded. */
export function useCurrency(): string | null {
  const organization_id = useOrganizationId();
  const { data = null } = useQuery({
    queryKey: ['currency', organization_id],
    queryFn: async () => {
      const params = { path: { organization_id } };
      return (await send(() => client.GET('/api/organizations/{organization_id}/dues-settings/', { params }))).currency;
    },
    staleTime: Infinity,
  });
  return data;
}
