/**
 * The order of test files: what takes longest comes first, so that no worker is left alone with it at the end.
 * A clean checkout knows no durations yet; there it goes by what a file sets up. Jest loads this untransformed.
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
