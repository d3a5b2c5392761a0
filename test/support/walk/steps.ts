/** What may happen to remittances, one thing after another or at once. Numbers choose among what is there, so that it shrinks. */
import fc from 'fast-check';

const pick = fc.nat(12);
const card = fc.constantFrom('pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined', 'pm_nobody_has');
/** What goes wrong at the gateway while it is paid. */
const trouble = fc.constantFrom(
  'none',
  'none',
  'lost_before_capture',
  'lost_after_capture',
  'error_after_capture',
  'captures_less',
  'captures_more',
);
/** How the gateway's events arrive. */
const events = fc.constantFrom('once', 'once', 'repeated', 'shuffled', 'late');
const off = fc.constantFrom(0, 0, 0, -100, 100);

const of = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
) =>
  fc.record({ do: fc.constant(kind), ...rest }, { noNullPrototype: true }) as unknown as fc.Arbitrary<
    { do: Kind } & Rest
  >;

const step = fc.oneof(
  { weight: 4, arbitrary: of('bill', { pick, cents: fc.constantFrom(1_000, 2_500) }) },
  { weight: 5, arbitrary: of('gather', { pick, many: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 9, arbitrary: of('pay', { pick, card, trouble, events }) },
  { weight: 2, arbitrary: of('pay twice', { pick }) },
  { weight: 2, arbitrary: of('pay rivals', { pick, other: pick }) },
  { weight: 2, arbitrary: of('void against pay', { pick, invoice: pick, held: fc.boolean() }) },
  { weight: 2, arbitrary: of('void', { pick }) },
  { weight: 3, arbitrary: of('resolve', { pick, off }) },
  { weight: 2, arbitrary: of('charge from outside', { pick, off }) },
  { weight: 2, arbitrary: of('refund', { pick, percent: fc.constantFrom(30, 100) }) },
  { weight: 2, arbitrary: of('deliver again', { pick }) },
  {
    weight: 1,
    arbitrary: of('restart', {
      program: fc.constantFrom('api' as const, 'worker' as const),
      signal: fc.constantFrom('SIGTERM' as const, 'SIGKILL' as const),
      during: fc.boolean(),
      pick,
    }),
  },
);

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
export type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;

/** Walks of `least` to `most` steps. */
export class Walks extends fc.Arbitrary<Step[]> {
  private readonly whole: fc.Arbitrary<Step[]>;

  constructor(least: number, most: number) {
    super();
    this.whole = fc.array(step, { minLength: least, maxLength: most, size: 'max' });
  }

  generate(random: fc.Random): fc.Value<Step[]> {
    return new fc.Value(this.whole.generate(random, undefined).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Step[] {
    return Array.isArray(value);
  }

  /** Leaves ever smaller pieces out, the end first, where nothing matters that came after the failure; then simplifies. */
  shrink(value: Step[]): fc.Stream<fc.Value<Step[]>> {
    return fc.stream(simpler(value));
  }
}

function* simpler(steps: Step[]): IterableIterator<fc.Value<Step[]>> {
  for (let piece = Math.ceil(steps.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let end = steps.length; end > 0; end -= piece) {
      yield new fc.Value([...steps.slice(0, Math.max(0, end - piece)), ...steps.slice(end)], undefined);
    }
  }
  for (const [index, one] of steps.entries()) {
    for (const { value } of step.shrink(one, undefined)) yield new fc.Value(steps.with(index, value), undefined);
  }
}
