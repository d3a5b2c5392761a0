/** Decisions that a seed repeats. What happens in between, between processes, is up to the machine. */
import { createHash } from 'node:crypto';

export class Dice {
  private state: number;

  constructor(
    private readonly seed: number,
    private readonly purpose = '',
  ) {
    this.state = createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32LE();
  }

  /** Dice of their own for a purpose, so that what one part of a run rolls does not change the rolls of another. */
  for(purpose: string): Dice {
    return new Dice(this.seed, `${this.purpose}/${purpose}`);
  }

  /** At least 0, below 1 (mulberry32). */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number between both, which may come up too. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  /** @throws Error when there is nothing to choose from */
  oneOf<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to choose from.');
    return choices[Math.floor(this.roll() * choices.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, rank: this.roll() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  }
}
