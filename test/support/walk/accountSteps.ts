/** What may happen to payers' accounts. Numbers choose among what is there, so that a walk shrinks. */
import fc from 'fast-check';
import { of } from './walks.js';

const pick = fc.nat(60);
const payer = fc.nat(2);
const cents = fc.integer({ min: 1, max: 300 });

export const accountStep = fc.oneof(
  { weight: 4, arbitrary: of('bill', { payer, cents }) },
  { weight: 5, arbitrary: of('pay', { pick, cents }) },
  { weight: 4, arbitrary: of('pay too much', { pick, cents }) },
  { weight: 2, arbitrary: of('remit', { pick, many: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 7, arbitrary: of('refund', { pick, percent: fc.constantFrom(1, 30, 60, 100, 100) }) },
  { weight: 1, arbitrary: of('refund again', { pick }) },
  { weight: 3, arbitrary: of('refund fails', { pick, percent: fc.constantFrom(30, 100) }) },
  { weight: 5, arbitrary: of('give back', { pick, percent: fc.constantFrom(1, 30, 60, 100), waive: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: of('hear of it', { pick, status: fc.constantFrom('refunded', 'refunded', 'pending', 'failed') }),
  },
  { weight: 3, arbitrary: of('send credit back', { payer, percent: fc.constantFrom(30, 100) }) },
  { weight: 2, arbitrary: of('discount', { pick, cents }) },
  { weight: 1, arbitrary: of('withdraw discount', { pick }) },
  { weight: 8, arbitrary: of('spend', { pick, cents }) },
  { weight: 2, arbitrary: of('settle', { payer }) },
  { weight: 1, arbitrary: of('give', { payer, cents }) },
  { weight: 2, arbitrary: of('reverse', { pick }) },
  { weight: 4, arbitrary: of('pay out', { payer, percent: fc.constantFrom(50, 100, 100) }) },
  { weight: 3, arbitrary: of('void', { pick }) },
  { weight: 3, arbitrary: of('bill dues', { payer, cents }) },
  { weight: 4, arbitrary: of('issue anew', { pick, cents }) },
  { weight: 3, arbitrary: of('dispute', { pick, percent: fc.constantFrom(1, 30, 100, 100) }) },
  { weight: 4, arbitrary: of('bank decides', { pick }) },
  { weight: 3, arbitrary: of('move', { payer: fc.nat(1) }) },
  { weight: 1, arbitrary: of('leave', { payer: fc.nat(1) }) },
);

export type AccountStep = typeof accountStep extends fc.Arbitrary<infer S> ? S : never;
