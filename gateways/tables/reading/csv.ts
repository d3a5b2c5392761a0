/** Reads separated values (RFC 4180, and the variants of spreadsheets). */
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { asWritten } from '../formulas.js';
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';
import { cellOf } from './batches.js';
import { encodingOf } from './encoding.js';
import { type Meter, meterOf } from './meter.js';
import { separatorOf } from './separator.js';

/** Control characters that binary files have, but text files do not. */
const BINARY = /[^\P{Cc}\t\n\v\f\r\u007F-\u009F]/u;
/** Maximum length of a line. It also stops the reading of a quoted cell that is never closed. */
const MAX_RECORD_CHARACTERS = 3_500_000;

/**
 * Yields the rows of a CSV file.
 * @throws TableUnreadable
 */
export async function* csvRows(file: string, limits: TableLimits): AsyncGenerator<TableRow> {
  const texts = textsOf(file, meterOf(limits));
  const { value: first = '' } = await texts.next();
  const parser = parse({
    delimiter: separatorOf(first),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  pipeline(Readable.from(joined(first, texts)), parser, () => undefined);
  let line = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>)
      yield { line: ++line, cells: cells.map((cell) => asWritten(cellOf(cell))) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new TableUnreadable(error.code === 'CSV_MAX_RECORD_SIZE' ? 'too_large' : 'damaged');
  }
}

async function* textsOf(file: string, metered: Meter): AsyncGenerator<string, undefined> {
  const decoder = iconv.getDecoder(await encodingOf(file));
  for await (const chunk of metered(createReadStream(file))) yield requireText(decoder.write(chunk));
  yield requireText(decoder.end() ?? '');
  return undefined;
}

function requireText(decoded: string): string {
  if (BINARY.test(decoded)) throw new TableUnreadable('unknown_format');
  return decoded;
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
