/** The program that reads one file: `program.js <file> <limits>`. It says what it read as lines of JSON, as fast as they are taken. */
import { once } from 'node:events';
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';
import { batchesOf } from './batches.js';
import { csvRows } from './csv.js';
import { kindOf } from './kind.js';
import { xlsxRows } from './xlsx.js';

/** One line of it. A reason is the last. */
export type Said = { rows: TableRow[] } | { reason: TableUnreadable['reason'] };

async function say(said: Said): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(said)}\n`)) await once(process.stdout, 'drain');
}

async function main([file, given]: string[]): Promise<void> {
  const limits = JSON.parse(given as string) as TableLimits;
  try {
    const kind = await kindOf(file as string);
    const rows = kind === 'xlsx' ? xlsxRows(file as string, limits) : csvRows(file as string, limits);
    for await (const batch of batchesOf(rows, limits)) await say({ rows: batch });
  } catch (error) {
    if (!(error instanceof TableUnreadable)) throw error;
    await say({ reason: error.reason });
  }
}

void main(process.argv.slice(2));
