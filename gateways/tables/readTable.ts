/** Reads what somebody uploaded, in a process of its own: a file made to break its reader breaks nothing else. */
import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { startIsolated } from '../isolatedProgram.js';
import type { Said } from './reading/program.js';
import { TABLE_LIMITS, type TableLimits, type TableRow, TableUnreadable } from './table.js';

/**
 * The rows that hold anything, titles first, of a CSV or XLSX file, which is told by its content. A batch has at most 500; no more than a
 * few are read before they are asked for. Who stops asking ends the reader.
 * @throws TableUnreadable, at any batch
 */
export async function* readTable(file: string, limits: Partial<TableLimits> = {}): AsyncGenerator<TableRow[]> {
  const held = { ...TABLE_LIMITS, ...limits };
  if ((await stat(file)).size > held.bytes) throw new TableUnreadable('too_large');
  const reader = startReader(file, held);
  try {
    for await (const line of whileWaiting(reader, held.seconds)) {
      const said = JSON.parse(line) as Said;
      if ('reason' in said) throw new TableUnreadable(said.reason);
      yield said.rows;
    }
  } finally {
    reader.process.kill('SIGKILL');
    // What nobody reads would keep it from closing.
    reader.output.destroy();
    await reader.ended;
  }
}

interface Reader {
  process: ChildProcess;
  output: Readable;
  /** What became of it: never rejects. */
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

/** What it says, line by line. Its time runs only while somebody waits for it. */
async function* whileWaiting(reader: Reader, seconds: number): AsyncGenerator<string> {
  const lines = linesOf(reader.output);
  let left = seconds * 1000;
  let isLate = false;
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    const timer = setTimeout(() => {
      isLate = true;
      reader.process.kill('SIGKILL');
    }, left);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      left -= performance.now() - since;
    }
  };
  for (;;) {
    const { done, value } = await inTime(() => lines.next());
    if (done) break;
    yield value;
  }
  const { code, signal, failure } = await inTime(() => reader.ended);
  if (isLate) throw new TableUnreadable('timeout');
  // So V8 ends a process whose heap is full.
  if (signal === 'SIGABRT' || code === ABORTED) throw new TableUnreadable('too_large');
  if (code !== 0) throw new Error(`The reader of tables ended with ${signal ?? code}.`, { cause: failure });
}

const ABORTED = 134;

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
