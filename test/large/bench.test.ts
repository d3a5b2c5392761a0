/** A small run of `npm run bench`, so that it keeps working; its numbers have no meaning here. Needs the compiled project. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { judge } from '../../development/bench/loginTiming.js';
import { compare } from '../../development/bench/mannWhitney.js';
import { median } from '../../development/bench/rounds.js';
import { isReached, type Report, tableOf } from '../../development/bench/report.js';

const LONGEST_MS = 900_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test(
  'the bench measures every case beside its reference',
  async () => {
    const json = path.join(folder, 'bench.json');
    const args = ['--smoke', '--size', 'demo', '--report-only', '--json', json];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.resolve('dist/development/bench.js'), ...args],
      {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: folder },
        // Tests have no time limit, and a bench that does not end must leave no process behind.
        timeout: LONGEST_MS - 30_000,
      },
    );
    const report = JSON.parse(readFileSync(json, 'utf8')) as Report;
    expect(report.results.map(({ name }) => name)).toEqual([
      'roster of a chapter',
      "organization's overdue invoices",
      'organization detail',
      'unread notifications',
      'money: billing roster',
      "money: a chapter's own ledger",
      'giving: campaign payload',
      'giving: donations list',
      'forums: feed',
      'forums: comments',
      'console: summary, beside alert-summary',
      'forums: list',
      'notifications marked as read',
      'application sent, compared with an insert of its rows',
      'log-in',
      'token refresh',
      'authenticated request, beside one without',
      'sign-in with a passkey',
      'SAML response received',
      'remittance pay, 25 invoices',
      'refund of one of 25 invoices paid at once',
      'giving: donate until the page is open',
      'pledge charge: a due period until it is paid',
      'noisy neighbour: a read beside a burst, and without',
      'forums: feed beside hostile writers, and without',
      'mails delivered, beside a bare loop, ten at a time',
      'pushes delivered, beside a bare loop, fifty at a time',
    ]);
    for (const { name, product, reference, limit, ratio, apiMemoryBytes } of report.results) {
      const alone = ALONE.includes(name);
      expect([name, product.failures, reference?.failures]).toEqual([name, 0, alone ? undefined : 0]);
      for (const { perSecond, p50, p99 } of reference ? [product, reference] : [product]) {
        expect(perSecond).toBeGreaterThan(0);
        expect(p99).toBeGreaterThanOrEqual(p50);
      }
      expect([name, (limit ?? 0) > 0]).toEqual([name, READS.includes(name)]);
      expect(ratio === null).toBe(alone);
      expect(ratio ?? 1).toBeGreaterThan(0);
      expect(stdout).toContain(`| ${name}`);
      expect(apiMemoryBytes).toBeGreaterThan(50_000_000);
    }
    expect(report.checks).toHaveLength(39);
    for (const { what, measured } of report.checks) expect([what, Number.isFinite(measured)]).toEqual([what, true]);
    expect(report.loginTiming.map(({ kind, samples }) => [kind, samples])).toEqual(
      ['wrong password', 'unknown address', 'disabled', 'without password'].map((kind) => [kind, 4]),
    );
    expect(stdout).toContain('| without password');
  },
  LONGEST_MS,
);

/** Cases whose statement is also measured alone. */
const READS = ['roster of a chapter', "organization's overdue invoices", 'organization detail', 'unread notifications'];
/** Cases that are measured separately. */
const ALONE = ['token refresh', 'sign-in with a passkey', 'SAML response received'];

const figures = { perSecond: 10, p50: 1, p95: 2, p99: 3, failures: 0 };
const aResult = (differences: object) => ({
  name: 'one',
  product: figures,
  reference: figures,
  limit: null,
  ratio: 1,
  target: { rate: 0.8 },
  reached: true,
  apiMemoryBytes: 1,
  ...differences,
});

test('one missed target, or too much memory, counts as a miss', () => {
  expect(isReached([aResult({}), aResult({ target: null, reached: null })])).toBe(true);
  expect(isReached([aResult({}), aResult({ reached: false })])).toBe(false);
  expect(isReached([aResult({}), aResult({ apiMemoryBytes: 200 * 1024 * 1024 })])).toBe(false);
});

test('the table shows missed targets and failures', () => {
  const missed = aResult({ reached: false, reference: { ...figures, failures: 2 } });
  const report = { seed: 'demo', machine: '', connections: 16, rounds: 1, checks: [], loginTiming: [], reached: false };
  const table = tableOf({ ...report, results: [missed] });
  expect(table).toContain('MISSED (2 calls failed)');
  expect(table.split('\n').at(-1)).toContain('reached');
});

test('a median is the middle value, or the mean of the two middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

describe('two samples', () => {
  const from = (first: number, count = 40) => Array.from({ length: count }, (_, n) => first + (n % 20));

  test('two samples of one distribution do not differ significantly', () => {
    const { effect, p } = compare(from(10), from(10));
    expect(effect).toBe(0.5);
    expect(p).toBeCloseTo(1, 6);
    expect(compare([5, 5, 5], [5, 5, 5]).effect).toBe(0.5);
  });

  test('two samples that do not overlap differ significantly by each value', () => {
    const { effect, p } = compare(from(10), from(100));
    expect(effect).toBe(1);
    expect(p).toBeLessThan(1e-6);
    expect(compare(from(100), from(10)).effect).toBe(0);
  });

  test('two samples from a textbook give its results', () => {
    // Hollander and Wolfe's permeability of membranes, as in R's wilcox.test: W = 35; p = 0.254 exactly, 0.245 approximated.
    const term = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const early = [1.15, 0.88, 0.9, 0.74, 1.21];
    const { effect, p } = compare(early, term);
    expect(effect).toBeCloseTo(35 / 50, 10);
    expect(p).toBeCloseTo(0.2446, 3);
  });

  test('empty samples are refused', () => {
    expect(() => compare([], [1])).toThrow('empty');
  });
});

describe('refused log-ins', () => {
  const around = (middle: number) => Array.from({ length: 50 }, (_, n) => middle + ((n * 7) % 13));
  const judged = (unknown: number[]) =>
    judge(
      new Map([
        ['wrong password', around(50)],
        ['unknown address', unknown],
      ] as const),
    ).map(({ reached }) => reached);

  test('refused log-ins that take equally long pass', () => expect(judged(around(50))).toEqual([true, true]));
  test('refused log-ins that differ by less than one answer reveals pass', () =>
    expect(judged(around(50.5))).toEqual([true, true]));
  test('refused log-ins that skip the hash are detected', () => expect(judged(around(5))).toEqual([true, false]));
  test('refused log-ins that take longer are detected', () => expect(judged(around(70))).toEqual([true, false]));
});
