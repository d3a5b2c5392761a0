/**
 * Prints processor times and counts, for people and tools: 'N passed, N failed, N skipped', alone on the last line. Jest loads this
 * untransformed.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TIERS, tierOf } = require('./tiers.cjs');

const TESTS = path.resolve(__dirname, '../..');
const SLOWEST = 12;
/** Fewer files need no table. */
const MANY = 20;

module.exports = class CountsReporter {
  nothingRan = false;

  onRunComplete(_contexts, results) {
    // A file that could not be loaded is a failure as well.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    if (results.testResults.length >= MANY) process.stdout.write(timesOf(results.testResults));
    const skipped = results.numPendingTests + results.numTodoTests;
    this.nothingRan = results.numPassedTests + failed === 0;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`;
    // The test command prints it after Jest has ended; nothing can follow it then.
    const file = process.env['TEST_COUNTS_FILE'];
    if (file) writeFileSync(file, line);
    else process.stdout.write(line);
  }

  /** Jest ends with a failure when this returns an error. */
  getLastError() {
    return this.nothingRan ? new Error('No test ran.') : undefined;
  }
};

/** The time of each file in its process, and in the processes that it started, from environment.ts: shared work is not included. */
function processorSeconds() {
  const file = process.env['TEST_TIMES_FILE'];
  if (!file || !existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ file: name, seconds }) => [name, seconds]));
}

/** A table of the tiers and one of the slowest files. */
function timesOf(testResults) {
  const processor = processorSeconds();
  const files = testResults.map(({ testFilePath, perfStats: { start, end }, numPassingTests }) => {
    const name = path.relative(TESTS, testFilePath);
    return { name, tier: tierOf(name), start, end, tests: numPassingTests, processor: processor.get(name) ?? 0 };
  });
  const seconds = (ms) => (ms / 1000).toFixed(1).padStart(8);
  const sum = (some, of) => some.reduce((total, one) => total + of(one), 0);
  const lines = TIERS.map((tier) => [tier, files.filter((one) => one.tier === tier)])
    .filter(([, some]) => some.length > 0)
    .map(([tier, some]) => {
      const whole = Math.max(...some.map(({ end }) => end)) - Math.min(...some.map(({ start }) => start));
      const spent = seconds(1000 * sum(some, (one) => one.processor));
      return `${tier.padEnd(12)}${String(some.length).padStart(6)}${String(sum(some, (one) => one.tests)).padStart(8)}${seconds(whole)}${spent}`;
    });
  const slowest = files.toSorted((one, other) => other.end - other.start - (one.end - one.start)).slice(0, SLOWEST);
  const each = slowest.map(
    ({ name, start, end, processor: spent }) => `${seconds(end - start)}${seconds(1000 * spent)}  ${name}`,
  );
  return [
    '',
    `${'tier'.padEnd(12)} files   tests seconds  (processor)`,
    ...lines,
    '',
    ' seconds  (processor)  of the slowest files',
    ...each,
    '',
    '',
  ].join('\n');
}
