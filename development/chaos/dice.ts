/**
 * A seeded random generator for a chaos run. Equal seeds give equal decisions; the timing between processes still
 * varies.
 */
import { createHash } from 'node:crypto';

export class Dice {
  private state: number;

  constructor(
    private readonly seed: number,
    private readonly purpose = '',
  ) {
    this.state = createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32LE();
  }

  /** Returns a separate generator for a purpose, so that one part of a run does not change the decisions of another. */
  for(purpose: string): Dice {
    return new Dice(this.seed, `${this.purpose}/${purpose}`);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), by mulberry32. */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number between both limits, inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.roll() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  /** @throws Error when there are no choices */
  oneOf<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('The list of choices is empty.');
    return choices[Math.floor(this.roll() * choices.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, rank: this.roll() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  }
}
