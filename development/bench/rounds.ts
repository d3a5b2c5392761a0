/** Runs cases: a warm-up of all, then of each its rounds of product and reference in turns, so that both meet the same machine. */
import type { Case, Target } from './case.js';
import type { Generator } from './generator.js';
import type { Load, Measured } from './protocol.js';

export interface Figures {
  /** Median of the rounds. */
  perSecond: number;
  /** Milliseconds, over all rounds. */
  p50: number;
  p95: number;
  p99: number;
  /** Calls that were not answered with success. */
  failures: number;
}

export interface Result {
  name: string;
  product: Figures;
  /** Null: there is nothing to compare it with. */
  reference: Figures | null;
  /** What Postgres alone makes of the statement in a second. */
  limit: number | null;
  /** Of requests a second (median of the pairs of rounds), or of median latencies: as the target counts. */
  ratio: number | null;
  target: Target;
  /** Null without a target; false also when calls failed, since what does not work has no speed. */
  reached: boolean | null;
}

/**
 * Code is compiled, plans are cached, and pages are read before anything is measured.
 * @param rounds 0 where no figure counts: then answers are compared, and that is all. @throws Error when answers differ
 */
export async function warmUp(cases: Case[], generator: Generator, rounds: number): Promise<void> {
  for (const { check, reference, product } of cases) {
    await check();
    if (rounds === 0) continue;
    if (reference) await generator.run(reference(0));
    await generator.run(await product(0));
  }
}

/** @param watched runs a round of the product, and watches it meanwhile */
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
