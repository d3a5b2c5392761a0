/**
 * The program that reads one file: `program.js <file> <limits>`. It writes lines of JSON, and waits while the parent
 * process reads more slowly.
 */
import { once } from 'node:events';
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';
import { readBatches } from './readBatches.js';

/** One line of the output. A line with a reason says why the file cannot be read, and is the last one. */
export type OutputLine = { rows: TableRow[] } | { reason: TableUnreadable['reason'] };

async function writeLine(line: OutputLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

async function main([file, given]: string[]): Promise<void> {
  const limits = JSON.parse(given as string) as TableLimits;
  try {
    for await (const batch of readBatches(file as string, limits)) await writeLine({ rows: batch });
  } catch (error) {
    if (!(error instanceof TableUnreadable)) throw error;
    await writeLine({ reason: error.reason });
  }
}

void main(process.argv.slice(2));
