/** Requests of the reports. The parameters of the address are passed to the API as they are. */
import { useMutation } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { saveCsv } from '../../parts/saveCsv';
import { useFilters } from '../../parts/useFilters';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type DuesReport = Schema<'DuesReport'>;
export type MemberReport = Schema<'MemberReport'>;
export type Reconciliation = Schema<'Reconciliation'>;

interface Query extends Record<string, string> {
  format: 'json' | 'csv';
}
type Answer<Report> = Promise<Result<Report | string>>;

const requests = {
  dues: (organization_id: string, query: Query): Answer<DuesReport> =>
    client.GET('/api/organizations/{organization_id}/reports/dues/', { params: { path: { organization_id }, query } }),
  members: (organization_id: string, query: Query): Answer<MemberReport> =>
    client.GET('/api/organizations/{organization_id}/reports/members/', {
      params: { path: { organization_id }, query },
    }),
  reconciliation: (organization_id: string, query: Query): Answer<Reconciliation> =>
    client.GET('/api/organizations/{organization_id}/reconciliation/', {
      params: { path: { organization_id }, query },
    }),
};

export type ReportName = keyof typeof requests;

const PARAMETERS: Readonly<Record<ReportName, string[]>> = {
  dues: ['from', 'to', 'group_by', 'payer_type'],
  members: ['from', 'to', 'group_by'],
  reconciliation: ['from', 'to'],
};

function useReport<Report>(name: ReportName, request: (organizationId: string, query: Query) => Answer<Report>) {
  const organizationId = useOrganizationId();
  const [filters] = useFilters();
  const given = givenFilters(filters, PARAMETERS[name]);
  return useList(
    ['report', name, organizationId, given],
    () => request(organizationId, { ...given, format: 'json' }) as Promise<Result<Report>>,
  );
}

export const useDuesReport = () => useReport('dues', requests.dues);
export const useMemberReport = () => useReport('members', requests.members);
export const useReconciliation = () => useReport('reconciliation', requests.reconciliation);

/** Downloads the rows of a report as a file. */
export function useCsv(name: ReportName) {
  const organizationId = useOrganizationId();
  const [filters] = useFilters();
  const query: Query = { ...givenFilters(filters, PARAMETERS[name]), format: 'csv' };
  return useMutation({
    mutationFn: async () => {
      const text = await send<unknown>(() => requests[name](organizationId, query));
      saveCsv(`${name}.csv`, String(text));
    },
  });
}
