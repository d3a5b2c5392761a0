/**
 * Runs the cases: first a warm-up of all, then the rounds of each. Product and reference take turns in a round, so that
 * both are measured under the same conditions.
 */
import type { Case, Target } from './case.js';
import type { Generator } from './generator.js';
import type { Load, Measured } from './protocol.js';

export interface Figures {
  /** Requests per second, the median of the rounds. */
  perSecond: number;
  /** In milliseconds, over all rounds. */
  p50: number;
  p95: number;
  p99: number;
  /** Number of calls without success. */
  failures: number;
}

export interface Result {
  name: string;
  product: Figures;
  /** Figures of the reference; null when the case has no reference. */
  reference: Figures | null;
  /** Statements per second of Postgres alone. */
  limit: number | null;
  /**
   * Ratio of product to reference: of requests per second (median of the pairs of rounds), or of median latencies if
   * the target is a latency. Null when there is no reference.
   */
  ratio: number | null;
  target: Target;
  /**
   * Whether the target was reached; null without a target. False also when calls failed, because the speed of failing
   * calls means nothing.
   */
  reached: boolean | null;
}

/**
 * Runs all cases before anything is measured, so that code is compiled, plans are cached and pages are read.
 * @param rounds number of measured rounds; 0 only compares answers
 * @throws Error when answers differ
 */
export async function warmUp(cases: Case[], generator: Generator, rounds: number): Promise<void> {
  for (const { check, reference, product } of cases) {
    await check();
    if (rounds === 0) continue;
    if (reference) await generator.run(reference(0));
    await generator.run(await product(0));
  }
}

/**
 * Measures a case in rounds, with product and reference in turn.
 * @param watched runs a round of the product and samples its memory meanwhile
 */
export async function measure(
  { name, target, product, reference, limit }: Case,
  rounds: number,
  generator: Generator,
  watched: (work: () => Promise<Measured>) => Promise<Measured>,
): Promise<Result> {
  const run = (load: Load) => generator.run(load);
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const load = await product(round);
    const turns = [async () => ours.push(await watched(() => run(load)))];
    if (reference) turns.push(async () => theirs.push(await run(reference(round))));
    for (const turn of round % 2 ? turns : turns.reverse()) await turn();
  }
  const figures = { product: figuresOf(ours), reference: reference && figuresOf(theirs) };
  const ratio = reference && ratioOf(target, ours, theirs);
  const wrong = figures.product.failures + (figures.reference?.failures ?? 0);
  return {
    name,
    ...figures,
    limit: (await limit?.()) ?? null,
    ratio,
    target,
    reached: wrong > 0 ? false : isReached(target, ratio),
  };
}

function ratioOf(target: Target, ours: Measured[], theirs: Measured[]): number {
  if (target && 'latency' in target) return figuresOf(ours).p50 / figuresOf(theirs).p50;
  return median(ours.map(({ perSecond }, round) => perSecond / (theirs[round] as Measured).perSecond));
}

function isReached(target: Target, ratio: number | null): boolean | null {
  if (!target || ratio === null) return null;
  return 'latency' in target ? ratio < target.latency : ratio >= target.rate;
}

function figuresOf(rounds: Measured[]): Figures {
  const latencies = rounds.flatMap((round) => round.latencies).sort((a, b) => a - b);
  const percentile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
