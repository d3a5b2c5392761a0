/** Prints the figures as a table for people and as JSON for programs. */
import type { Check } from './audience.js';
import type { Target } from './case.js';
import type { Timing } from './loginTiming.js';
import type { Figures, Result } from './rounds.js';

const MEBIBYTE = 1024 * 1024;
/** Maximum resident memory of an API process under load. */
const MEMORY_LIMIT_BYTES = 200 * MEBIBYTE;

export interface Measurement extends Result {
  /** The API's peak memory in the rounds of this case. */
  apiMemoryBytes: number;
}

export interface Report {
  seed: string;
  machine: string;
  connections: number;
  rounds: number;
  results: Measurement[];
  /** Checks of the single measurements; empty when they were not selected. */
  checks: Check[];
  /** Timing of failed log-ins; empty when it was not selected. */
  loginTiming: Timing[];
  reached: boolean;
}

/** Reports whether every target was reached. */
export const isReached = (results: Measurement[], loginTiming: Timing[] = [], checks: Check[] = []): boolean =>
  [...results, ...loginTiming, ...checks].every(({ reached }) => reached !== false) &&
  peakMemory(results) < MEMORY_LIMIT_BYTES;

const peakMemory = (results: Measurement[]): number =>
  Math.max(0, ...results.map(({ apiMemoryBytes }) => apiMemoryBytes));
const mebibytes = (bytes: number): string => String(Math.round(bytes / MEBIBYTE));

const HEAD = [
  '',
  'product/s',
  'reference/s',
  'statement/s',
  'ratio',
  'target',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'reference p50, p95, p99',
  'API MiB',
  '',
];

/** Returns a Markdown table. */
export function tableOf({ results, loginTiming, checks }: Report): string {
  const rows = results.map(({ name, product, reference, limit, ratio, target, reached, apiMemoryBytes }) => [
    name,
    rate(product.perSecond),
    reference ? rate(reference.perSecond) : '',
    limit === null ? '' : rate(limit),
    ratio?.toFixed(2) ?? '',
    wordsOf(target),
    ...milliseconds(product),
    reference ? milliseconds(reference).join(', ') : '',
    mebibytes(apiMemoryBytes),
    reached === null ? '' : verdict(reached) + failed(product, reference),
  ]);
  const peak = peakMemory(results);
  const memory = `API process under load: ${mebibytes(peak)} MiB resident, target below ${mebibytes(
    MEMORY_LIMIT_BYTES,
  )} MiB: ${verdict(peak < MEMORY_LIMIT_BYTES)}`;
  const parts = [
    results.length > 0 && aligned([HEAD, ...rows]),
    checks.length > 0 && checksTable(checks),
    loginTiming.length > 0 && timingTable(loginTiming),
  ];
  // Without results there was no load, and the memory figure would mean nothing.
  return [...parts, results.length > 0 && memory].filter(Boolean).join('\n\n');
}

const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 100 ? 1 : 0);
const milliseconds = ({ p50, p95, p99 }: Figures): string[] => [p50, p95, p99].map((value) => value.toFixed(1));
const verdict = (reached: boolean): string => (reached ? 'reached' : 'MISSED');

function failed(product: Figures, reference: Figures | null): string {
  const calls = product.failures + (reference?.failures ?? 0);
  return calls > 0 ? ` (${calls} calls failed)` : '';
}

function wordsOf(target: Target): string {
  if (!target) return '';
  return 'latency' in target ? `p50 < ${target.latency} x` : `>= ${target.rate} x`;
}

const TIMING_HEAD = ['refused log-in', 'samples', 'p50 ms', 'p95 ms', 'slower than a wrong password', 'p', ''];

/** Returns a table that shows whether the response time reveals why a log-in failed. */
const timingTable = (timing: Timing[]): string =>
  aligned([
    TIMING_HEAD,
    ...timing.map(({ kind, samples, p50, p95, effect, p, reached }) => [
      kind,
      String(samples),
      p50.toFixed(1),
      p95.toFixed(1),
      `${Math.round(effect * 100)} % of pairs`,
      p.toFixed(3),
      verdict(reached),
    ]),
  ]);

const checksTable = (checks: Check[]): string =>
  aligned([
    ['single measurements', 'measured', 'at most', ''],
    ...checks.map(({ what, measured, limit, unit, reached }) => [
      what,
      `${Math.round(measured * 10) / 10} ${unit}`.trim(),
      limit === null ? '' : `${limit} ${unit}`.trim(),
      limit === null ? '' : verdict(reached),
    ]),
  ]);

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
