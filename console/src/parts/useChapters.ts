import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client';
import { RequestFailed } from '../api/send';
import { useOrganizationId } from './useOrganizationId';

/** Reads the names of the organization's chapters by their ids; empty until they are loaded. */
export function useChapters(): ReadonlyMap<string, string> {
  const organization_id = useOrganizationId();
  const { data = NONE } = useQuery({
    queryKey: ['chapter-names', organization_id],
    queryFn: async () => {
      const params = { path: { organization_id }, query: { ordering: 'name' as const } };
      const result = await client.all('/api/organizations/{organization_id}/chapters/', { params });
      if (!result.ok) throw new RequestFailed(result);
      return new Map(result.data.map(({ id, name }) => [id, name]));
    },
    staleTime: Infinity,
  });
  return data;
}

const NONE: ReadonlyMap<string, string> = new Map();
