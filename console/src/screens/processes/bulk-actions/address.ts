/** The choice of processes in the address of a preview: their ids, or a filter of the list. */
import { givenFilters } from '../../../parts/givenFilters';
import type { BulkActionName, BulkActionRequest } from './queries';

type Filters = Record<string, string | undefined>;

const FILTERS = ['kind', 'status', 'chapter', 'subject', 'started_after', 'started_before'];

/** Returns the address of the preview for some processes. */
export const previewOfIds = (action: BulkActionName, ids: readonly string[]): string =>
  `/console/processes/bulk-actions/new?${new URLSearchParams({ action, ids: ids.join(',') })}`;

/** Returns the address of the preview for all processes that match the filters of the list. */
export const previewOfFilter = (action: BulkActionName, filters: Filters): string =>
  `/console/processes/bulk-actions/new?${new URLSearchParams({ action, ...givenFilters(filters, [...FILTERS, 'stuck']) })}`;

/** Reads the address of a preview. The API says what is wrong with it. */
export function requestOf({ action: name, ids, stuck, ...filters }: Filters): BulkActionRequest {
  const action = name === 'cancel' ? 'cancel' : 'retry';
  if (ids) return { action, ids: ids.split(',') };
  return { action, filter: { ...givenFilters(filters, FILTERS), ...(stuck && { stuck: stuck === 'true' }) } };
}
