/** A file comes in, and its lines. */
import { beginningOf } from '../../beginningOf.js';
import { audit } from '../../database/audit.js';
import { changeRow, createRow } from '../../database/model/change.js';
import { loadIfThere, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import type { StoredFile } from '../files/storedFiles.js';
import { BulkImport } from './BulkImport.js';
import { guessMapping, type ImportField, type Mapping, titleKey } from './fields.js';
import { holdStep } from './lines.js';
import { beginStep, forgetFile } from './steps.js';

interface FileLine {
  line: number;
  cells: string[];
}

/** Begins with an uploaded file: a process reads it. */
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

/** The file to read; null where that is done, or nobody wants it any more. */
export async function fileToRead(importId: string): Promise<string | null> {
  const found = await loadIfThere(BulkImport, importId);
  return found?.step === 'read' ? found.file_id : null;
}

/** Keeps titles, and guesses what they mean. @returns false where nobody wants it any more */
export async function keepTitles(importId: string, titles: string[]): Promise<boolean> {
  if (!(await holdStep(importId, 'read'))) return false;
  const columns = titles.map((title) => beginningOf(title.trim(), 200));
  await changeRow(BulkImport, importId, { columns, mapping: guessMapping(columns, await remembered()) });
  return true;
}

const REMEMBERED = 20;

/** What columns were called in this organization's last imports. */
async function remembered(): Promise<Map<string, ImportField>> {
  const said = await rows<{ columns: string[]; mapping: Mapping }>(
    `SELECT columns, mapping FROM bulk_imports WHERE organization_id = $1 AND mapped_at IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT ${REMEMBERED}`,
    [currentOrganization()],
  );
  const known = new Map<string, ImportField>();
  for (const { columns, mapping } of said.reverse())
    for (const [field, column] of Object.entries(mapping))
      known.set(titleKey(columns[column] ?? ''), field as ImportField);
  known.delete('');
  return known;
}

const LONGEST_CELL = 2_000;

/** Keeps lines, each once, however often they come. @returns false where nobody wants them any more */
export async function keepLines(importId: string, lines: readonly FileLine[]): Promise<boolean> {
  if (!(await holdStep(importId, 'read'))) return false;
  const kept = lines
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => beginningOf(cell, LONGEST_CELL).replaceAll('\0', '')),
    }));
  await rows(
    `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells)
     SELECT $1, $2, l.line, l.cells FROM jsonb_to_recordset($3) AS l (line int, cells jsonb) ORDER BY l.line
     ON CONFLICT (organization_id, import_id, line) DO NOTHING`,
    [currentOrganization(), importId, JSON.stringify(kept)],
  );
  return true;
}

/** All lines are kept: the file is not needed any more, and goes. */
export async function finishReading(importId: string): Promise<void> {
  const held = await holdStep<BulkImport>(importId, 'read');
  if (!held) return;
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2',
    [currentOrganization(), importId],
  );
  await changeRow(BulkImport, importId, { stage: 'mapping', rows_total: count });
  await forgetFile(held.file_id);
}
