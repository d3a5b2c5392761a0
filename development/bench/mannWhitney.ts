/**
 * Tests whether two samples could come from the same distribution (Mann and Whitney, 1947), and how clearly the values
 * of one sample exceed those of the other.
 */

export interface Comparison {
  /**
   * Probability that a value of the second sample is larger than one of the first, with ties counted half; 0.5 means no
   * difference.
   */
  effect: number;
  /** Two-sided p value by the normal approximation with correction for ties; for samples of more than about ten. */
  p: number;
}

/**
 * Compares two samples.
 * @throws Error for an empty sample
 */
export function compare(first: number[], second: number[]): Comparison {
  const [m, n] = [first.length, second.length];
  if (m === 0 || n === 0) throw new Error('A sample is empty.');
  const all = [
    ...first.map((value) => ({ value, isSecond: false })),
    ...second.map((value) => ({ value, isSecond: true })),
  ];
  all.sort((a, b) => a.value - b.value);
  let ranks = 0;
  let ties = 0;
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && all[end]?.value === all[at]?.value) end += 1;
    const tied = end - at;
    ties += tied ** 3 - tied;
    // Ranks count from 1; equal values share their mean rank.
    for (let k = at; k < end; k += 1) if (all[k]?.isSecond) ranks += (at + 1 + end) / 2;
    at = end;
  }
  const u = ranks - (n * (n + 1)) / 2;
  const total = m + n;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  const z = variance > 0 ? Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance) : 0;
  return { effect: u / (m * n), p: twoSided(z) };
}

/** Returns 2 (1 - Φ(z)) by Abramowitz and Stegun 7.1.26, with an error of at most 1.5e-7. */
function twoSided(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  return series.reduceRight((sum, factor) => (sum + factor) * t, 0) * Math.exp(-x * x);
}
