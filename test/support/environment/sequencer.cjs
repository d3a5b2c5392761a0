/**
 * The order of test files: the slowest come first, so that no worker runs one alone at the end. A clean checkout knows no durations
 * yet; there the order depends on what a file sets up. Jest loads this untransformed.
 */
const { readFileSync, statSync } = require('node:fs');
const { default: TestSequencer } = require('@jest/test-sequencer');

/** The first that a file mentions counts. */
const LONG = [
  /dist\/development\/chaos/,
  /\bseedLarge\(|fast-check|dist\/development\/bench/,
  /\bstartOwnStack\(|\bstartDeployment\(/,
  /\bstartPlatform\(/,
  /\bstartApi\(/,
];

function rankOf(path) {
  const text = readFileSync(path, 'utf8');
  const index = LONG.findIndex((sign) => sign.test(text));
  return index === -1 ? LONG.length : index;
}

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const known = super.sort(tests);
    if (known.every(({ duration }) => duration !== undefined)) return known;
    const order = new Map(known.map((test) => [test, [rankOf(test.path), -statSync(test.path).size]]));
    return known.toSorted((one, other) => {
      const [[rank, size], [otherRank, otherSize]] = [order.get(one), order.get(other)];
      return rank - otherRank || size - otherSize;
    });
  }
};
