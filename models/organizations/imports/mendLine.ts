import { changeRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { Chapter } from '../Chapter.js';
import { BulkImport } from './BulkImport.js';
import { importErrors } from './errors.js';
import type { ImportField, Mapping } from './fields.js';
import { findLine, type ImportLine } from './listLines.js';
import { previewLines } from './previewNextLines.js';
import { lockOpenImport } from './steps.js';

/** Says which column is what. What was previewed before holds no more. @throws Refusal not_found, import_ended, import_busy, import_not_ready, validation_error */
export async function mapImport(
  id: string,
  mapping: Mapping,
  more: { chapter: string | null; day_order: BulkImport['day_order'] },
): Promise<ShownRow<typeof BulkImport>> {
  const { chapter, day_order } = more;
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
 * Mends fields of a line in place, and previews it. Other lines may be judged otherwise by it: all are previewed again before
 * they can be confirmed.
 * @throws Refusal not_found, import_ended, import_busy, import_not_ready, validation_error
 */
export async function mendLine(
  importId: string,
  lineId: string,
  values: Partial<Record<ImportField, string>>,
): Promise<ImportLine> {
  found(await findLine(importId, lineId));
  const held = await lockOpenImport(importId);
  if (held.stage === 'upload') throw importErrors.import_not_ready();
  const { cells } = found(await lockLine(importId, lineId));
  for (const [field, value] of Object.entries(values)) {
    const column = held.mapping[field as ImportField];
    if (column === undefined) throw invalid(`values.${field}`, 'No column is mapped to this field.');
    while (cells.length <= column) cells.push('');
    cells[column] = value;
  }
  await firstRow('UPDATE bulk_import_rows SET cells = $3 WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    lineId,
    JSON.stringify(cells),
  ]);
  await previewLines(held, [{ id: lineId, cells }]);
  await changeRow(BulkImport, importId, { preview_hash: null });
  return found(await findLine(importId, lineId));
}

const lockLine = (importId: string, id: string) =>
  firstRow<{ cells: string[] }>(
    'SELECT cells FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2 AND id = $3 FOR NO KEY UPDATE',
    [currentOrganization(), importId, id],
  );
