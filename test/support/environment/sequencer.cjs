/**
 * The order of test files: in each tier the longest first, and the files of the slow tiers spread evenly among the fast
 * ones, because slow files wait for processes and share one Temporal server. A clean checkout has no durations yet: there
 * the order follows what a file sets up. Jest loads this untransformed.
 */
const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');
const { FAST, tierOf } = require('./tiers.cjs');

const TESTS = path.resolve(__dirname, '../..');

/** The first that a file mentions counts. */
const LONG = [
  /dist\/development\/chaos/,
  /\bseedLarge\(|fast-check|dist\/development\/bench/,
  /\bstartOwnStack\(|\bstartDeployment\(/,
  /\bworkerDies\(|\bstartWorker\(/,
  /\b(aPlatform|startPlatform|heldCards|refunding|payingOnPages)\(/,
  /\ballRoutes\b/,
  /\b(anApi|apiWorld|startApi)\(/,
];

function rankOf(file) {
  const text = readFileSync(file, 'utf8');
  const index = LONG.findIndex((sign) => sign.test(text));
  return index === -1 ? LONG.length : index;
}

/** Returns the tests with the shorter list spread evenly over the longer one. */
function spread(some, others) {
  const all = [
    ...some.map((test, n) => [n / some.length, test]),
    ...others.map((test, n) => [n / others.length, test]),
  ];
  return all.toSorted(([one], [other]) => one - other).map(([, test]) => test);
}

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = this.longestFirst(tests);
    const isFast = ({ path: file }) => tierOf(path.relative(TESTS, file)) === FAST;
    return spread(
      sorted.filter((test) => !isFast(test)),
      sorted.filter(isFast),
    );
  }

  longestFirst(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const order = new Map(sorted.map((test) => [test, [rankOf(test.path), -statSync(test.path).size]]));
    return sorted.toSorted((one, other) => {
      const [[rank, size], [otherRank, otherSize]] = [order.get(one), order.get(other)];
      return rank - otherRank || size - otherSize;
    });
  }
};
