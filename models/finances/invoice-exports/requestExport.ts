import { EXPORT_RETRIED } from '../../../workflows/contracts/exportInvoices.js';
import { exportInvoices } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, lockForEdit, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { financesErrors } from '../errors.js';
import type { ColumnName } from './columns.js';
import { type ExportFilters, InvoiceExport } from './InvoiceExport.js';

/**
 * Starts an export of invoices. @param chapter limits it to this chapter; null: the whole organization @throws Refusal
 * export_limit, validation_error
 */
export async function requestExport(
  chapter: string | null,
  { filters, columns }: { filters?: ExportFilters | undefined; columns?: ColumnName[] | undefined },
): Promise<ShownRow<typeof InvoiceExport>> {
  if (filters?.chapter) await requireChapter(filters.chapter);
  const { id } = await createRow(InvoiceExport, {
    chapter_id: chapter,
    ...(filters && { filters }),
    ...(columns && { columns }),
    place: await findFreeSlot(),
    requested_by: currentScope().origin.userId,
  });
  await enqueue(exportInvoices, { exportId: id });
  return readRow(InvoiceExport, id);
}

async function requireChapter(chapter: string): Promise<void> {
  const { exists } = await oneRow<{ exists: boolean }>(
    'SELECT EXISTS (SELECT FROM chapters WHERE organization_id = $1 AND id = $2) AS "exists"',
    [currentOrganization(), chapter],
  );
  if (!exists) throw invalid('filters.chapter', 'There is no such chapter.');
}

/**
 * Returns the number of a free slot: an organization has three slots for exports. The advisory lock serializes
 * concurrent requests.
 * @throws Refusal export_limit
 */
async function findFreeSlot(): Promise<number> {
  const organizationId = currentOrganization();
  await oneRow(`SELECT pg_advisory_xact_lock(hashtextextended('invoice exports ' || $1, 0))`, [organizationId]);
  const { place } = await oneRow<{ place: number | null }>(
    `SELECT min(n)::int AS place FROM generate_series(1, 3) n
      WHERE NOT EXISTS (SELECT FROM invoice_exports x WHERE x.organization_id = $1 AND x.place = n)`,
    [organizationId],
  );
  if (place === null) throw financesErrors.export_limit();
  return place;
}

/**
 * Restarts an export that failed, was cancelled or has expired. @throws Refusal not_found, export_under_way,
 * export_limit
 */
export async function retryExport(id: string): Promise<void> {
  const { state } = await lockForEdit(InvoiceExport, id);
  const { status } = await readRow(InvoiceExport, id);
  if (status !== 'failed' && status !== 'cancelled' && status !== 'expired') throw financesErrors.export_under_way();
  await changeRow(
    InvoiceExport,
    { id, state },
    {
      state: 'queued',
      place: await findFreeSlot(),
      failure: null,
      file_id: null,
      sha256: null,
      has_amounts: null,
      cut_off: null,
      rows_total: null,
      rows_done: 0,
      ended_at: null,
      requested_by: currentScope().origin.userId,
    },
  );
  await audit({ action: 'invoice_export.retried', subjectType: 'invoice_export', subjectId: id });
  await enqueue(exportInvoices, { exportId: id }, { signal: EXPORT_RETRIED });
}

/**
 * Cancels an export: no further batch is read, and the written file is discarded. Does nothing if the export has
 * already ended.
 */
export async function tryCancelExport(id: string): Promise<void> {
  const cancelled = { state: 'cancelled', place: null, ended_at: now } as const;
  const stopped =
    (await changeRow(InvoiceExport, { id, state: 'queued' }, cancelled)) ??
    (await changeRow(InvoiceExport, { id, state: 'running' }, cancelled));
  if (stopped) await audit({ action: 'invoice_export.cancelled', subjectType: 'invoice_export', subjectId: id });
}

/** Cancels an export on request. @throws Refusal not_found, export_over */
export async function cancelExport(id: string): Promise<void> {
  const { state } = await lockForEdit(InvoiceExport, id);
  if (state !== 'queued' && state !== 'running') throw financesErrors.export_over();
  await tryCancelExport(id);
}
