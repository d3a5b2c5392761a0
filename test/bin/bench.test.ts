/** A small run of `npm run bench`, so that it keeps working; its figures mean nothing here. Needs the compiled project. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { median } from '../../bin/bench/rounds.js';
import { isReached, type Report, tableOf } from '../../bin/bench/report.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bench measures every case beside its reference', async () => {
  const json = path.join(folder, 'bench.json');
  const args = ['--quick', '--rounds', '1', '--size', 'demo', '--report-only', '--json', json];
  const { stdout } = await promisify(execFile)(process.execPath, [path.resolve('dist/bin/bench.js'), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: folder },
  });
  const report = JSON.parse(readFileSync(json, 'utf8')) as Report;
  expect(report.results.map(({ name }) => name)).toEqual([
    'roster of a chapter',
    "organization's overdue invoices",
    'organization detail',
    'log-in',
    'remittance pay, 25 invoices',
  ]);
  for (const { name, product, reference, ratio } of report.results) {
    expect([name, product.failures, reference.failures]).toEqual([name, 0, 0]);
    for (const { perSecond, p50, p99 } of [product, reference]) {
      expect(perSecond).toBeGreaterThan(0);
      expect(p99).toBeGreaterThanOrEqual(p50);
    }
    expect(ratio).toBeGreaterThan(0);
    expect(stdout).toContain(`| ${name}`);
  }
  expect(report.apiMemoryBytes).toBeGreaterThan(50_000_000);
}, 300_000);

const figures = { perSecond: 10, p50: 1, p95: 2, p99: 3, failures: 0 };
const aResult = (differences: object) => ({
  name: 'one',
  product: figures,
  reference: figures,
  ratio: 1,
  target: { rate: 0.8 },
  reached: true,
  ...differences,
});

test('one missed target, or too much memory, is a miss', () => {
  expect(isReached([aResult({}), aResult({ target: null, reached: null })], 1)).toBe(true);
  expect(isReached([aResult({}), aResult({ reached: false })], 1)).toBe(false);
  expect(isReached([aResult({})], 200 * 1024 * 1024)).toBe(false);
});

test('the table says what was missed and what failed', () => {
  const missed = aResult({ reached: false, reference: { ...figures, failures: 2 } });
  const report = { seed: 'demo', machine: '', connections: 16, rounds: 1, reached: false };
  const table = tableOf({ ...report, results: [missed], apiMemoryBytes: 1 });
  expect(table).toContain('MISSED (2 calls failed)');
  expect(table.split('\n').at(-1)).toContain('reached');
});

test('a median is the middle, or between the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
