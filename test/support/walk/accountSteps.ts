/** The possible steps of payers' accounts. Numbers choose among existing rows, so that a walk shrinks. */
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
  { weight: 9, arbitrary: of('give back', { pick, percent: fc.constantFrom(1, 30, 60, 100), waive: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: of('hear of it', {
      pick,
      status: fc.constantFrom('refunded', 'refunded', 'pending', 'pending', 'pending', 'failed'),
    }),
  },
  { weight: 4, arbitrary: of('send credit back', { payer, percent: fc.constantFrom(30, 100) }) },
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
  { weight: 4, arbitrary: of('bank decides', { pick, percent: fc.constantFrom(100, 100, 40) }) },
  { weight: 3, arbitrary: of('move', { payer: fc.nat(1) }) },
  { weight: 4, arbitrary: of('allocate', { pick }) },
  { weight: 2, arbitrary: of('close case', { pick }) },
  { weight: 2, arbitrary: of('pay by hand', { pick, cents }) },
  { weight: 1, arbitrary: of('fee', { pick, cents }) },
  { weight: 2, arbitrary: of('call off', { pick }) },
  { weight: 1, arbitrary: of('stray', { cents }) },
  { weight: 2, arbitrary: of('keep stray', { pick, payer }) },
  { weight: 1, arbitrary: of('give stray back', { pick }) },
  { weight: 2, arbitrary: of('it goes back', { pick, arrives: fc.boolean() }) },
  { weight: 2, arbitrary: of('it comes back', { pick }) },
  {
    weight: 3,
    arbitrary: of('remit in trouble', {
      pick,
      many: fc.integer({ min: 1, max: 3 }),
      trouble: fc.constantFrom('stale', 'less', 'more', 'twice'),
      cents,
    }),
  },
  { weight: 4, arbitrary: of('place', { pick }) },
  { weight: 1, arbitrary: of('end membership', { payer: fc.nat(1) }) },
  { weight: 3, arbitrary: of('follow settlement', { pick }) },
  { weight: 1, arbitrary: of('come back', { payer: fc.nat(1) }) },
  { weight: 3, arbitrary: of('plan', { pick, count: fc.integer({ min: 2, max: 4 }) }) },
  { weight: 2, arbitrary: of('tick', { pick, off: fc.boolean() }) },
  { weight: 1, arbitrary: of('cancel plan', { pick }) },
  { weight: 1, arbitrary: of('leave', { payer: fc.nat(1) }) },
);

export type AccountStep = typeof accountStep extends fc.Arbitrary<infer S> ? S : never;
