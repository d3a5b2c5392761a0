/**
 * The seed of all random tests. `npm test` uses a fixed seed, so that it has the same result each time; the release tier
 * draws one. PROPERTY_SEED=<seed> repeats a run.
 */
const FIXED_SEED = 7;
const MAX_SEED = 2 ** 30;

export const isRepeated = process.env['PROPERTY_SEED'] !== undefined;

export const SEED = Number(
  process.env['PROPERTY_SEED'] ??
    (process.env['TEST_TIER'] === 'release' ? Math.floor(Math.random() * MAX_SEED) : FIXED_SEED),
);

/** Returns how many cases a random test tries. With the fixed seed, `npm test` would try the same many cases each time. */
export const casesOf = ({ test, release }: { test: number; release: number }): number =>
  process.env['TEST_TIER'] === 'release' ? release : test;
