import { changeRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { Chapter } from '../Chapter.js';
import { BulkImport } from './BulkImport.js';
import { importErrors } from './errors.js';
import type { ImportField, Mapping } from './fields.js';
import { findLine, type ImportLine } from './listLines.js';
import { previewLines } from './previewNextLines.js';
import { lockOpenImport } from './steps.js';

/**
 * Maps columns to fields. An earlier preview is no longer valid. @throws Refusal not_found, import_ended, import_busy,
 * import_not_ready, validation_error
 */
export async function mapImport(
  id: string,
  mapping: Mapping,
  defaults: { chapter: string | null; day_order: BulkImport['day_order'] },
): Promise<ShownRow<typeof BulkImport>> {
  const { chapter, day_order } = defaults;
  const { stage, columns } = await lockOpenImport(id);
  if (stage === 'upload') throw importErrors.import_not_ready();
  for (const [field, column] of Object.entries(mapping))
    if (column >= columns.length) throw invalid(`mapping.${field}`, `The file has ${columns.length} columns.`);
  if (chapter && !(await Chapter.findOne({ where: { id: chapter, organization_id: currentOrganization() } })))
    throw invalid('chapter', 'There is no such chapter.');
  await changeRow(BulkImport, id, { mapping, chapter_id: chapter, day_order, mapped_at: now, preview_hash: null });
  return readRow(BulkImport, id);
}

/**
 * Corrects cells of a line and previews the line again. The correction may affect other lines, so all lines must be
 * previewed again before the import can be confirmed.
 * @throws Refusal not_found, import_ended, import_busy, import_not_ready, validation_error
 */
export async function correctLine(
  importId: string,
  lineId: string,
  values: Partial<Record<ImportField, string>>,
): Promise<ImportLine> {
  requireFound(await findLine(importId, lineId));
  const lockedImport = await lockOpenImport(importId);
  if (lockedImport.stage === 'upload') throw importErrors.import_not_ready();
  const { cells } = requireFound(await lockLine(importId, lineId));
  for (const [field, value] of Object.entries(values)) {
    const column = lockedImport.mapping[field as ImportField];
    if (column === undefined) throw invalid(`values.${field}`, 'No column is mapped to this field.');
    while (cells.length <= column) cells.push('');
    cells[column] = value;
  }
  await firstRow('UPDATE bulk_import_rows SET cells = $3 WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    lineId,
    JSON.stringify(cells),
  ]);
  await previewLines(lockedImport, [{ id: lineId, cells }]);
  await changeRow(BulkImport, importId, { preview_hash: null });
  return requireFound(await findLine(importId, lineId));
}

const lockLine = (importId: string, id: string) =>
  firstRow<{ cells: string[] }>(
    'SELECT cells FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2 AND id = $3 FOR NO KEY UPDATE',
    [currentOrganization(), importId, id],
  );
