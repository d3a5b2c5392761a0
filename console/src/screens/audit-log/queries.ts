/** Requests of the audit log. */
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type AuditEntry = Schema<'AuditEntry'>;

const FILTERS = ['actor', 'action', 'subject_type', 'subject_id', 'request_id', 'page'];

/** Returns when a day begins where the reader is, or a day later. */
function beginOf(day: string, daysLater = 0): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

/** The entries that the filters of the address name. `from` and `to` are days, both included. */
export function useAuditLog({ from, to, ...filters }: Record<string, string | undefined>) {
  const organization_id = useOrganizationId();
  const query = {
    ...givenFilters(filters, FILTERS),
    ...(from && { since: beginOf(from) }),
    ...(to && { until: beginOf(to, 1) }),
    page_size: PAGE_SIZE,
  };
  return useList(['audit-log', organization_id, query], () =>
    client.GET('/api/organizations/{organization_id}/audit-log/', { params: { path: { organization_id }, query } }),
  );
}
