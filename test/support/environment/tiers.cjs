/**
 * The tiers of the tests, by the folder of test/ that a file stands in. Jest's configuration and the test command read
 * this; environment.ts refuses what a tier may not do.
 */
const SLOW = {
  /** Stories that need more than the tests' own process: workers, API and worker processes, stacks, commands. */
  scenarios: ['scenarios', 'workflows', 'bin', 'development'],
  /** Whole deployments and browsers; and what is large: seeds, walks, chaos, the bench. */
  deployment: ['deployment', 'browser', 'large'],
};

/** Everything else: the shared Postgres and Temporal that the run has started, and this process. */
const FAST = 'fast';

/** How many files at once, on two cores: of the fast tier alone; of the others; of the fast tier beside them. */
const WORKERS = { all: 3, others: 3, fastBeside: 1 };

const TIERS = [FAST, ...Object.keys(SLOW)];

/** @param file its path below test/ */
function tierOf(file) {
  const [folder] = file.split(/[\\/]/);
  return Object.keys(SLOW).find((tier) => SLOW[tier].includes(folder)) ?? FAST;
}

/** @returns what Jest is to match for one tier; for all without one */
function testMatch(tier) {
  const all = '<rootDir>/test/**/*.test.ts';
  if (tier === undefined) return [all];
  if (tier === FAST)
    return [
      all,
      ...Object.values(SLOW)
        .flat()
        .map((folder) => `!**/test/${folder}/**`),
    ];
  if (!SLOW[tier]) throw new Error(`--tier: ${tier} is none of ${TIERS.join(', ')}.`);
  return SLOW[tier].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);
}

module.exports = { FAST, SLOW, TIERS, WORKERS, tierOf, testMatch };
