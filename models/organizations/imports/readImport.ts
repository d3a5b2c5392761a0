/** Starts an import and stores the titles and lines of its file. */
import { truncate } from '../../truncate.js';
import { audit } from '../../database/audit.js';
import { changeRow, createRow } from '../../database/model/change.js';
import { loadIfExists, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import type { StoredFile } from '../files/storedFiles.js';
import { BulkImport } from './BulkImport.js';
import { guessMapping, type ImportField, type Mapping, titleKey } from './fields.js';
import { lockStep } from './lines.js';
import { beginStep, removeImportFile } from './steps.js';

interface FileLine {
  line: number;
  cells: string[];
}

/** Starts an import of an uploaded file, which a workflow then reads. */
export async function startImport(file: StoredFile): Promise<ShownRow<typeof BulkImport>> {
  const { id } = await createRow(BulkImport, {
    file_id: file.id,
    file_name: file.name,
    started_by: file.uploaded_by,
  });
  const after = { file_id: file.id };
  await audit({ action: 'bulk_import.created', subjectType: 'bulk_import', subjectId: id, after });
  return beginStep(id, 'read');
}

/** Returns the file to read; null if it has been read, or the import was ended. */
export async function findFileToRead(importId: string): Promise<string | null> {
  const bulkImport = await loadIfExists(BulkImport, importId);
  return bulkImport?.step === 'read' ? bulkImport.file_id : null;
}

/** Stores the column titles and guesses the mapping. @returns false if the import is no longer in this step */
export async function storeTitles(importId: string, titles: string[]): Promise<boolean> {
  if (!(await lockStep(importId, 'read'))) return false;
  const columns = titles.map((title) => truncate(title.trim(), 200));
  await changeRow(BulkImport, importId, { columns, mapping: guessMapping(columns, await rememberedTitles()) });
  return true;
}

const REMEMBERED_IMPORTS = 20;

/** Returns the mappings of titles in this organization's last imports. */
async function rememberedTitles(): Promise<Map<string, ImportField>> {
  const imports = await rows<{ columns: string[]; mapping: Mapping }>(
    `SELECT columns, mapping FROM bulk_imports WHERE organization_id = $1 AND mapped_at IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT ${REMEMBERED_IMPORTS}`,
    [currentOrganization()],
  );
  const fieldsByTitle = new Map<string, ImportField>();
  for (const { columns, mapping } of imports.reverse())
    for (const [field, column] of Object.entries(mapping))
      fieldsByTitle.set(titleKey(columns[column] ?? ''), field as ImportField);
  fieldsByTitle.delete('');
  return fieldsByTitle;
}

const MAX_CELL_LENGTH = 2_000;

/**
 * Stores lines of the file. If the same lines are sent again, they are stored only once.
 * @returns false if the import is no longer in this step
 */
export async function storeLines(importId: string, lines: readonly FileLine[]): Promise<boolean> {
  if (!(await lockStep(importId, 'read'))) return false;
  const nonEmptyLines = lines
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => truncate(cell, MAX_CELL_LENGTH).replaceAll('\0', '')),
    }));
  await rows(
    `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells)
     SELECT $1, $2, l.line, l.cells FROM jsonb_to_recordset($3) AS l (line int, cells jsonb) ORDER BY l.line
     ON CONFLICT (organization_id, import_id, line) DO NOTHING`,
    [currentOrganization(), importId, JSON.stringify(nonEmptyLines)],
  );
  return true;
}

/** Moves the import to the mapping stage, once all lines are stored, and removes the file. */
export async function finishReading(importId: string): Promise<void> {
  const lockedImport = await lockStep<BulkImport>(importId, 'read');
  if (!lockedImport) return;
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2',
    [currentOrganization(), importId],
  );
  await changeRow(BulkImport, importId, { stage: 'mapping', rows_total: count });
  await removeImportFile(lockedImport.file_id);
}
