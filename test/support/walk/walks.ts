/** Random walks that shrink well: any sequence of steps. */
import fc from 'fast-check';

/** Walks of `least` to `most` steps. */
export class Walks<Step> extends fc.Arbitrary<Step[]> {
  private readonly whole: fc.Arbitrary<Step[]>;

  constructor(
    private readonly step: fc.Arbitrary<Step>,
    least: number,
    most: number,
  ) {
    super();
    this.whole = fc.array(step, { minLength: least, maxLength: most, size: 'max' });
  }

  generate(random: fc.Random): fc.Value<Step[]> {
    return new fc.Value(this.whole.generate(random, undefined).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Step[] {
    return Array.isArray(value);
  }

  /** Removes smaller and smaller pieces, the end first, since steps after the failure do not matter; then simplifies. */
  shrink(value: Step[]): fc.Stream<fc.Value<Step[]>> {
    return fc.stream(this.simpler(value));
  }

  private *simpler(steps: Step[]): IterableIterator<fc.Value<Step[]>> {
    for (let piece = Math.ceil(steps.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
      for (let end = steps.length; end > 0; end -= piece) {
        yield new fc.Value([...steps.slice(0, Math.max(0, end - piece)), ...steps.slice(end)], undefined);
      }
    }
    for (const [index, one] of steps.entries()) {
      for (const { value } of this.step.shrink(one, undefined)) yield new fc.Value(steps.with(index, value), undefined);
    }
  }
}

/** A step by its name, with its choices. */
export const of = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
) =>
  fc.record({ do: fc.constant(kind), ...rest }, { noNullPrototype: true }) as unknown as fc.Arbitrary<
    { do: Kind } & Rest
  >;
