/** Reads an uploaded table in a separate process, so that a malicious file affects nothing else. */
import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { startIsolated } from '../isolatedProgram.js';
import type { OutputLine } from './reading/program.js';
import { TABLE_LIMITS, type TableLimits, type TableRow, TableUnreadable } from './table.js';

/**
 * Yields the rows of a CSV or XLSX file, without empty rows; the first row has the titles. The format is detected from
 * the content. A batch has at most 500 rows, and only a few batches are read ahead. The reading process ends when the
 * caller stops reading.
 * @throws TableUnreadable, at any batch
 */
export async function* readTable(file: string, limits: Partial<TableLimits> = {}): AsyncGenerator<TableRow[]> {
  const effectiveLimits = { ...TABLE_LIMITS, ...limits };
  if ((await stat(file)).size > effectiveLimits.bytes) throw new TableUnreadable('too_large');
  const reader = startReader(file, effectiveLimits);
  try {
    for await (const line of readLines(reader, effectiveLimits.seconds)) {
      const message = JSON.parse(line) as OutputLine;
      if ('reason' in message) throw new TableUnreadable(message.reason);
      yield message.rows;
    }
  } finally {
    reader.process.kill('SIGKILL');
    // Unread output would keep the process from closing.
    reader.output.destroy();
    await reader.ended;
  }
}

interface Reader {
  process: ChildProcess;
  output: Readable;
  /** The result of the process; never rejects. */
  ended: Promise<{ code: number | null; signal: string | null; failure?: Error }>;
}

function startReader(file: string, limits: TableLimits): Reader {
  const child = startIsolated('tables/reading/program.js', [path.resolve(file), JSON.stringify(limits)], limits);
  child.stdin.end();
  const ended = new Promise<Awaited<Reader['ended']>>((resolve) => {
    child.once('error', (failure) => resolve({ code: null, signal: null, failure }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { process: child, output: child.stdout, ended };
}

/** Yields the lines of the output. The time limit counts only while the caller waits for a line. */
async function* readLines(reader: Reader, seconds: number): AsyncGenerator<string> {
  const lines = linesOf(reader.output);
  let remainingMs = seconds * 1000;
  let isLate = false;
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    const timer = setTimeout(() => {
      isLate = true;
      reader.process.kill('SIGKILL');
    }, remainingMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      remainingMs -= performance.now() - since;
    }
  };
  for (;;) {
    const { done, value } = await inTime(() => lines.next());
    if (done) break;
    yield value;
  }
  const { code, signal, failure } = await inTime(() => reader.ended);
  if (isLate) throw new TableUnreadable('timeout');
  // V8 aborts a process whose heap is full, so the table is too large.
  if (signal === 'SIGABRT' || code === ABORT_EXIT_CODE) throw new TableUnreadable('too_large');
  if (code !== 0) throw new Error(`The table reader ended with ${signal ?? code}.`, { cause: failure });
}

const ABORT_EXIT_CODE = 134;

async function* linesOf(output: Readable): AsyncGenerator<string, void> {
  let pieces: string[] = [];
  for await (const chunk of output.setEncoding('utf8')) {
    const [rest, ...more] = (chunk as string).split('\n');
    pieces.push(rest as string);
    for (const next of more) {
      yield pieces.join('');
      pieces = [next];
    }
  }
}
