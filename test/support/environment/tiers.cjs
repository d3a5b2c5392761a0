/**
 * Assigns test files to tiers by their folder in test/. Jest's configuration and the test command read this; environment.ts refuses
 * what a tier may not do.
 */
const SLOW = {
  /** Tests that need more than their own process: workers, API and worker processes, commands. */
  scenarios: ['scenarios', 'workflows', 'bin'],
  /**
   * Slow tests, run before a release: whole deployments, killed processes, outages and clocks, the large seed, chaos, the
   * bench, every lost answer of each payment provider, pages in a browser, and our own test tools.
   */
  release: ['browser', 'console', 'deployment', 'large', 'providers', 'development'],
};

/** Everything else: these tests use the shared Postgres and Temporal of the run, and their own process. */
const FAST = 'fast';

const TIERS = [FAST, ...Object.keys(SLOW)];

/** @param file its path in test/ */
function tierOf(file) {
  const [folder] = file.split(/[\\/]/);
  return Object.keys(SLOW).find((tier) => SLOW[tier].includes(folder)) ?? FAST;
}

/** Random tests have a fixed seed in `npm test`. In the release tier they have a new one, and the walks are longer. */
const RANDOM = '<rootDir>/test/**/*.property.test.ts';

const ALL = '<rootDir>/test/**/*.test.ts';
const below = (folder) => `**/test/${folder}/**`;

/**
 * Returns the glob patterns of the test files that Jest finds.
 * @param tier one tier, or 'all'; without one, the tiers of `npm test`: fast and scenarios
 */
function testMatch(tier) {
  if (tier === 'all') return [ALL];
  const without = (folders) => [ALL, ...folders.map((folder) => `!${below(folder)}`)];
  if (tier === undefined) return without(SLOW.release);
  if (tier === FAST) return without(Object.values(SLOW).flat());
  if (!SLOW[tier]) throw new Error(`--tier: ${tier} is none of ${TIERS.join(', ')}.`);
  const own = SLOW[tier].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);
  return tier === 'release' ? [...own, RANDOM] : own;
}

module.exports = { FAST, SLOW, TIERS, tierOf, testMatch };
