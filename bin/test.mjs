/**
 * `npm test [-- [--tier fast|scenarios|release] jest arguments]`: installs and builds what is missing, runs the tests
 * (without a tier or a path, those of the fast tier and the scenarios), and prints the time of each tier and the
 * counts. `node bin/test.mjs --services [file]` keeps Postgres and Temporal running for later runs until Ctrl-C.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, ROOT, run } from './install.mjs';

function keepServices([file = path.join(ROOT, '.data-test', 'services.json')]) {
  return run(process.execPath, ['--import', 'tsx', path.join(ROOT, 'test/support/environment/keepServices.ts'), file]);
}

/**
 * V8 options for tests, whose files reload their modules. V8 optimizes only code that runs long, and has more space for
 * new objects, so that short-lived ones are freed cheaply. Together this saves a tenth of the time of an API test file
 * (measured).
 */
const V8 = ['--interrupt-budget=1000000', '--max-semi-space-size=64'];

async function runTests(given) {
  const { tier, args } = tierOf(given);
  // Tests that start real processes use dist/. Type errors are the type check's concern, not the tests'.
  const built = await run(process.execPath, [path.join(ROOT, 'bin/build.mjs'), '--no-check']);
  if (built !== 0) console.error('The sources do not compile. The tests run with the emitted code.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'membership-counts-'));
  const counts = path.join(folder, 'counts');
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const env = { ...process.env, TEST_COUNTS_FILE: counts, TEST_TIMES_FILE: path.join(folder, 'times') };
  if (tier !== undefined) env.TEST_TIER = tier;
  const code = await run(process.execPath, [...V8, jest, ...args], { env });
  const line = readCounts(counts);
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${line ?? '0 passed, 0 failed, 0 skipped'}`);
  return line ? code : code || 1;
}

/** A given path may name tests of any tier, so without --tier it selects from all tiers. */
function tierOf(args) {
  const at = args.indexOf('--tier');
  if (at !== -1) return { tier: String(args[at + 1]), args: args.toSpliced(at, 2) };
  return args.some((arg) => arg.startsWith('test')) ? { tier: 'all', args } : { args };
}

function readCounts(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

await ensureInstalled();
const [first, ...others] = process.argv.slice(2);
process.exitCode = first === '--services' ? await keepServices(others) : await runTests(process.argv.slice(2));
