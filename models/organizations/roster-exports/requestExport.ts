import { exportRoster } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { type ExportFilters, RosterExport } from './RosterExport.js';

/** Maximum number of exports per person and day. It is limited because each export reads the whole roster. */
const MAX_EXPORTS_PER_DAY = 50;

/** Starts the workflow that writes a roster. @throws Refusal validation_error, export_in_progress, too_many_exports */
export async function requestExport({
  format,
  filters,
  with_profiles,
}: Pick<RosterExport, 'format' | 'with_profiles'> & { filters: ExportFilters }): Promise<
  ShownRow<typeof RosterExport>
> {
  const { userId } = currentScope().origin;
  await requireOwnIds(filters);
  const { count } = await oneRow<{ count: number }>(
    `SELECT count(*)::int FROM roster_exports
      WHERE organization_id = $1 AND requested_by = $2 AND created_at > now() - interval '1 day'`,
    [currentOrganization(), userId],
  );
  if (count >= MAX_EXPORTS_PER_DAY) throw organizationsErrors.too_many_exports();
  const { id } = await createRow(RosterExport, { format, filters, with_profiles, requested_by: userId });
  await enqueue(exportRoster, { exportId: id });
  return readRow(RosterExport, id);
}

/** Requires that the chapter and the region belong to this organization. @throws Refusal validation_error */
async function requireOwnIds({ chapter, region }: ExportFilters): Promise<void> {
  const exists = await oneRow<{ chapter: boolean; region: boolean }>(
    `SELECT EXISTS (SELECT FROM chapters WHERE organization_id = $1 AND id = $2) AS chapter,
            EXISTS (SELECT FROM regions WHERE organization_id = $1 AND id = $3) AS region`,
    [currentOrganization(), chapter ?? null, region ?? null],
  );
  const errors: FieldErrors = {};
  if (chapter && !exists.chapter) errors['filters.chapter'] = ['There is no such chapter.'];
  if (region && !exists.region) errors['filters.region'] = ['There is no such region.'];
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
}
