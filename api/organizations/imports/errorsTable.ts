import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Batch } from '../../../gateways/tables/columns.js';
import { TABLE_LIMITS } from '../../../gateways/tables/table.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { BulkImport } from '../../../models/organizations/imports/BulkImport.js';
import { type LineWithErrors, nextLinesWithErrors } from '../../../models/organizations/imports/listLines.js';

/**
 * Titles of the columns before each line. No import field matches them, so that a corrected table can be imported as it
 * is.
 */
const NOTE_TITLES = ['Line of the file', 'What is wrong'];

type ImportFacts = Pick<BulkImport, 'id' | 'organization_id' | 'columns' | 'mapping'>;

/**
 * Streams lines with errors as CSV, in the columns of the original file, preceded by the line number and the error. No
 * cell is a formula. Only one batch of lines is in memory. Each batch is read in its own transaction, so that a slow
 * reader holds no connection.
 */
export function errorsTable(bulkImport: ImportFacts): Readable {
  const columns = columnsToKeep(bulkImport);
  const titles = [...NOTE_TITLES, ...columns.map((column) => bulkImport.columns[column] as string)];
  return writeTable(
    'csv',
    titles.map((title) => ({ title, type: 'text' })),
    lineBatches(bulkImport, columns),
  );
}

async function* lineBatches(
  { id, organization_id }: ImportFacts,
  keptColumns: readonly number[],
): AsyncGenerator<Batch> {
  // Bound to the request's async context, because the stream requests the next batch from other events.
  const readNext = AsyncResource.bind((line: number) =>
    inTenant(organization_id, () => nextLinesWithErrors(id, line), { readOnly: true }),
  );
  let after = 0;
  for (;;) {
    const lines = await readNext(after);
    yield lines.map((line) => [
      String(line.line),
      describeErrors(line),
      ...keptColumns.map((column) => line.cells[column] ?? ''),
    ]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.line;
  }
}

/**
 * Returns the columns to write: all except the notes of a table that was corrected before. If the notes would make the
 * table too wide to be imported again, columns without a field are left out.
 */
function columnsToKeep({ columns, mapping }: ImportFacts): number[] {
  const mapped = new Set(Object.values(mapping));
  const all = [...columns.keys()].filter(
    (column) => mapped.has(column) || !NOTE_TITLES.includes(columns[column] as string),
  );
  const fits = all.length + NOTE_TITLES.length <= TABLE_LIMITS.columns;
  return fits ? all : all.filter((column) => mapped.has(column));
}

const describeErrors = ({ errors, why }: LineWithErrors): string =>
  [...Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`), ...(why ? [why] : [])].join(
    '; ',
  );
