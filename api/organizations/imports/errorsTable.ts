import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Batch } from '../../../gateways/tables/columns.js';
import { TABLE_LIMITS } from '../../../gateways/tables/table.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { BulkImport } from '../../../models/organizations/imports/BulkImport.js';
import { type LineWithErrors, nextLinesWithErrors } from '../../../models/organizations/imports/listLines.js';

/** What stands before each line. No field is guessed by these titles: a mended table is imported as it is. */
const NOTES = ['Line of the file', 'What is wrong'];

type Facts = Pick<BulkImport, 'id' | 'organization_id' | 'columns' | 'mapping'>;

/**
 * CSV as the file was, with the line and what is wrong before it. No cell of it is a formula. A page of lines is in memory, and
 * each is read in a transaction of its own: whoever reads slowly holds no connection.
 */
export function errorsTable(held: Facts): Readable {
  const kept = columnsToKeep(held);
  const titles = [...NOTES, ...kept.map((column) => held.columns[column] as string)];
  return writeTable(
    'csv',
    titles.map((title) => ({ title, type: 'text' })),
    pagesOf(held, kept),
  );
}

async function* pagesOf({ id, organization_id }: Facts, kept: readonly number[]): AsyncGenerator<Batch> {
  // Whoever asks for the next page asks as the same request, out of whatever event.
  const next = AsyncResource.bind((line: number) =>
    inTenant(organization_id, () => nextLinesWithErrors(id, line), { readOnly: true }),
  );
  let after = 0;
  for (;;) {
    const lines = await next(after);
    yield lines.map((line) => [String(line.line), wrong(line), ...kept.map((column) => line.cells[column] ?? '')]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.line;
  }
}

/**
 * All but the notes of a table that was mended before. Where those of this one would make it too wide to be read again, the columns
 * that say no field are left out.
 */
function columnsToKeep({ columns, mapping }: Facts): number[] {
  const mapped = new Set(Object.values(mapping));
  const all = [...columns.keys()].filter((column) => mapped.has(column) || !NOTES.includes(columns[column] as string));
  const fits = all.length + NOTES.length <= TABLE_LIMITS.columns;
  return fits ? all : all.filter((column) => mapped.has(column));
}

const wrong = ({ errors, why }: LineWithErrors): string =>
  [...Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`), ...(why ? [why] : [])].join(
    '; ',
  );
