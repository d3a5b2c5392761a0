/** The possible steps of remittances, one after another or at once. Numbers choose among existing rows, so that a walk shrinks. */
import fc from 'fast-check';
import { of } from './walks.js';

const pick = fc.nat(12);
const card = fc.constantFrom('pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined', 'pm_nobody_has');
/** A fault of the gateway during a payment. */
const trouble = fc.constantFrom(
  'none',
  'none',
  'lost_before_capture',
  'lost_after_capture',
  'error_after_capture',
  'captures_less',
  'captures_more',
);
/** The order and timing of the gateway's events. */
const events = fc.constantFrom('once', 'once', 'repeated', 'shuffled', 'late');
const off = fc.constantFrom(0, 0, 0, -100, 100);

export const step = fc.oneof(
  { weight: 4, arbitrary: of('bill', { pick, cents: fc.constantFrom(1_000, 2_500) }) },
  { weight: 5, arbitrary: of('gather', { pick, many: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 9, arbitrary: of('pay', { pick, card, trouble, events }) },
  { weight: 2, arbitrary: of('pay twice', { pick }) },
  { weight: 2, arbitrary: of('pay rivals', { pick, other: pick }) },
  { weight: 2, arbitrary: of('void against pay', { pick, invoice: pick, held: fc.boolean() }) },
  { weight: 2, arbitrary: of('void', { pick }) },
  { weight: 3, arbitrary: of('resolve', { pick, off }) },
  { weight: 2, arbitrary: of('charge from outside', { pick, off }) },
  { weight: 2, arbitrary: of('pay too much', { pick, over: fc.constantFrom(300, 3_000) }) },
  { weight: 2, arbitrary: of('spend credit', { pick, cents: fc.constantFrom(200, 5_000) }) },
  { weight: 1, arbitrary: of('discount', { pick, cents: fc.constantFrom(400, 4_000) }) },
  { weight: 3, arbitrary: of('refund', { pick, percent: fc.constantFrom(30, 100) }) },
  { weight: 2, arbitrary: of('refund fails', { pick }) },
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
