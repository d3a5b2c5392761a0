/** Requests of the audit log. */
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

/** An entry of the log of an organization, or of the platform's, which has no values about people. */
export type AuditEntry = Omit<Schema<'PlatformAuditEntry'>, 'organization'> &
  Partial<Pick<Schema<'PlatformAuditEntry'>, 'organization'> & Pick<Schema<'AuditEntry'>, 'ip_address' | 'erased'>>;

const FILTERS = ['actor', 'action', 'subject_type', 'subject_id', 'request_id', 'page'];

/** Returns when a day begins where the reader is, or a day later. */
function beginOf(day: string, daysLater = 0): string {
  const at = new Date(`${day}T00:00:00`);
  // The API refuses a text of the address that is no day, and names its parameter.
  if (Number.isNaN(at.getTime())) return day;
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

/** The query for the filters of the address. `from` and `to` are days, both included. */
const queryOf = ({ from, to, ...filters }: Record<string, string | undefined>) => ({
  ...givenFilters(filters, FILTERS),
  ...(from && { since: beginOf(from) }),
  ...(to && { until: beginOf(to, 1) }),
  page_size: PAGE_SIZE,
});

export function useAuditLog(filters: Record<string, string | undefined>) {
  const organization_id = useOrganizationId();
  const query = queryOf(filters);
  return useList(['audit-log', organization_id, query], () =>
    client.GET('/api/organizations/{organization_id}/audit-log/', { params: { path: { organization_id }, query } }),
  );
}

export function usePlatformAuditLog(filters: Record<string, string | undefined>) {
  const query = queryOf(filters);
  return useList(['platform-audit-log', query], () => client.GET('/api/platform/audit-log/', { params: { query } }));
}
