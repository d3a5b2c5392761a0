import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { send } from '../../../api/send';
import { useOrganizationId } from '../../../parts/useOrganizationId';
import { givenFilters } from '../../../parts/givenFilters';

export type Day = Schema<'ReconciliationDay'>;
export type Reconciliation = Schema<'Reconciliation'>;

/** The days of the address; without them, the last thirty. */
export function useReconciliation(filters: Record<string, string | undefined>) {
  const path = { organization_id: useOrganizationId() };
  const query = { ...givenFilters(filters, ['from', 'to']), format: 'json' as const };
  return useQuery({
    queryKey: ['reconciliation', query],
    queryFn: async () => {
      const params = { path, query };
      const answer = await send(() => client.GET('/api/organizations/{organization_id}/reconciliation/', { params }));
      if (typeof answer === 'string') throw new Error('The days were expected as JSON.');
      return answer;
    },
    placeholderData: keepPreviousData,
  });
}
