/** Requests of the audit log. */
import { useMutation } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { saveCsv } from '../../parts/saveCsv';
import { useFilters } from '../../parts/useFilters';
import { useOrganizationId } from '../../parts/useOrganizationId';

/** An entry of the log of an organization, or of the platform's, which has no values about people. */
export type AuditEntry = Omit<Schema<'PlatformAuditEntry'>, 'organization'> &
  Partial<Pick<Schema<'PlatformAuditEntry'>, 'organization'> & Pick<Schema<'AuditEntry'>, 'ip_address' | 'erased'>>;

interface AuditLogPage {
  count: number;
  results: AuditEntry[];
}

const FILTERS = ['actor', 'action', 'subject_type', 'subject_id', 'request_id'];

/** The whole log of years is one file. */
const DOWNLOAD_TIMEOUT_MS = 600_000;

/** Returns when a day begins where the reader is, or a day later. */
function beginOf(day: string, daysLater = 0): string {
  const at = new Date(`${day}T00:00:00`);
  // The API refuses a text of the address that is no day, and names its parameter.
  if (Number.isNaN(at.getTime())) return day;
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

type Filters = Record<string, string | undefined>;

/** The filters of the address as the API has them. `from` and `to` are days, both included. */
const filtersOf = ({ from, to, ...filters }: Filters) => ({
  ...givenFilters(filters, FILTERS),
  ...(from && { since: beginOf(from) }),
  ...(to && { until: beginOf(to, 1) }),
});

const pageOf = (filters: Filters) => ({
  ...filtersOf(filters),
  ...givenFilters(filters, ['page']),
  page_size: PAGE_SIZE,
  format: 'json' as const,
});

export function useAuditLog() {
  const organization_id = useOrganizationId();
  const [filters] = useFilters();
  const query = pageOf(filters);
  const params = { path: { organization_id }, query };
  return useList(
    ['audit-log', organization_id, query],
    () => client.GET('/api/organizations/{organization_id}/audit-log/', { params }) as Promise<Result<AuditLogPage>>,
  );
}

export function usePlatformAuditLog() {
  const [filters] = useFilters();
  const query = pageOf(filters);
  return useList(
    ['platform-audit-log', query],
    () => client.GET('/api/platform/audit-log/', { params: { query } }) as Promise<Result<AuditLogPage>>,
  );
}

interface CsvQuery extends Record<string, string> {
  format: 'csv';
}

/** Downloads all entries that match the filters as a file. */
function useCsv(name: string, request: (query: CsvQuery) => Promise<Result<unknown>>) {
  const [filters] = useFilters();
  return useMutation({
    mutationFn: async () => {
      const text = await send(() => request({ ...filtersOf(filters), format: 'csv' }));
      saveCsv(`${name}.csv`, String(text));
    },
  });
}

export function useAuditLogCsv() {
  const organization_id = useOrganizationId();
  return useCsv('audit-log', (query) =>
    client.GET('/api/organizations/{organization_id}/audit-log/', {
      params: { path: { organization_id }, query },
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    }),
  );
}

export const usePlatformAuditLogCsv = () =>
  useCsv('platform-audit-log', (query) =>
    client.GET('/api/platform/audit-log/', { params: { query }, timeoutMs: DOWNLOAD_TIMEOUT_MS }),
  );
