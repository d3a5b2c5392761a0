/**
 * Fees equal rational arithmetic, to the cent.
 * @jest-environment node
 */
import fc from 'fast-check';
import { coveringAmountCents, feeCentsOf } from '../../../models/foundation/donations/fees.js';

const schedule = fc.record({
  rate: fc.integer({ min: 1, max: 999_999 }).map((millionths) => `0.${String(millionths).padStart(6, '0')}`),
  fixedCents: fc.integer({ min: 0, max: 100_000 }),
});
const cents = fc.integer({ min: 1, max: 99_999_999 });
const MILLION = 1_000_000n;
const millionthsOf = (rate: string) => BigInt(rate.slice(2));

test('the fee is the smallest number of cents that is not less than the exact share, plus the fixed part', () => {
  fc.assert(
    fc.property(schedule, cents, (fees, amount) => {
      const share = BigInt(feeCentsOf(amount, fees) - fees.fixedCents);
      const exact = BigInt(amount) * millionthsOf(fees.rate);
      expect(share * MILLION >= exact && (share - 1n) * MILLION < exact).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('the covering amount is the smallest of which the base remains before the share is rounded up', () => {
  fc.assert(
    fc.property(schedule, cents, (fees, base) => {
      const amount = BigInt(coveringAmountCents(base, fees));
      const kept = (charge: bigint) => charge * (MILLION - millionthsOf(fees.rate));
      const wanted = BigInt(base + fees.fixedCents) * MILLION;
      expect(kept(amount) >= wanted && kept(amount - 1n) < wanted).toBe(true);
      expect(Number(amount) - feeCentsOf(Number(amount), fees)).toBeGreaterThanOrEqual(base);
    }),
    { numRuns: 2_000 },
  );
});

test('the usual schedule gives the amounts of the documentation', () => {
  expect([feeCentsOf(10_000), coveringAmountCents(5_000), feeCentsOf(5_181)]).toEqual([320, 5_181, 181]);
});
