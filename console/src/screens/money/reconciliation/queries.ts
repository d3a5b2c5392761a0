import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { useList } from '../../../api/useList';
import { useOrganizationId } from '../../../parts/useOrganizationId';
import { givenFilters } from '../../../parts/givenFilters';

export type DayRow = Schema<'ReconciliationDay'>;
export type Reconciliation = Schema<'Reconciliation'>;

/** The days of the address; without them, the last thirty. */
export function useReconciliation(filters: Record<string, string | undefined>) {
  const path = { organization_id: useOrganizationId() };
  const query = { ...givenFilters(filters, ['from', 'to']), format: 'json' as const };
  const request = () => client.GET('/api/organizations/{organization_id}/reconciliation/', { params: { path, query } });
  return useList(['reconciliation', query], request, {
    select: (answer) => {
      if (typeof answer === 'string') throw new Error('The days were expected as JSON.');
      return answer;
    },
  });
}
