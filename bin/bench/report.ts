/** The figures as a table for people and as JSON for machines. */
import type { Target } from './cases.js';
import type { Figures, Result } from './rounds.js';

const MEBIBYTE = 1024 * 1024;
/** What an API process may take under load. */
const MEMORY_LIMIT_BYTES = 200 * MEBIBYTE;

export interface Report {
  seed: string;
  machine: string;
  connections: number;
  rounds: number;
  results: Result[];
  /** The most that the API took in any round. */
  apiMemoryBytes: number;
  reached: boolean;
}

/** Whether every target was reached. */
export const isReached = (results: Result[], apiMemoryBytes: number): boolean =>
  results.every(({ reached }) => reached !== false) && apiMemoryBytes < MEMORY_LIMIT_BYTES;

const HEAD = [
  '',
  'product/s',
  'reference/s',
  'ratio',
  'target',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'reference p50, p95, p99',
  '',
];

/** A table in Markdown. */
export function tableOf({ results, apiMemoryBytes }: Report): string {
  const rows = results.map(({ name, product, reference, ratio, target, reached }) => [
    name,
    rate(product.perSecond),
    rate(reference.perSecond),
    ratio.toFixed(2),
    wordsOf(target),
    ...milliseconds(product),
    milliseconds(reference).join(', '),
    reached === null ? '' : verdict(reached) + failed(product, reference),
  ]);
  const memory = `API process under load: ${Math.round(apiMemoryBytes / MEBIBYTE)} MiB resident, target below ${
    MEMORY_LIMIT_BYTES / MEBIBYTE
  } MiB: ${verdict(apiMemoryBytes < MEMORY_LIMIT_BYTES)}`;
  return `${aligned([HEAD, ...rows])}\n\n${memory}`;
}

const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 100 ? 1 : 0);
const milliseconds = ({ p50, p95, p99 }: Figures): string[] => [p50, p95, p99].map((value) => value.toFixed(1));
const verdict = (reached: boolean): string => (reached ? 'reached' : 'MISSED');

function failed(product: Figures, reference: Figures): string {
  const calls = product.failures + reference.failures;
  return calls > 0 ? ` (${calls} calls failed)` : '';
}

function wordsOf(target: Target): string {
  if (!target) return '';
  return 'latency' in target ? `p50 < ${target.latency} x` : `>= ${target.rate} x`;
}

function aligned(rows: string[][]): string {
  const widths = HEAD.map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
