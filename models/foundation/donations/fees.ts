/**
 * The fee of a gift, in whole cents. All arithmetic is on integers: the rate is a fraction of two integers, so that no
 * rounding error of a floating-point number can change a cent.
 */
import { config } from '../../../config.js';

/** The fee schedule, which is the same for all providers. */
export interface FeeSchedule {
  /** A decimal below 1, for example `0.029`. */
  rate: string;
  fixedCents: number;
}

/** The configured schedule. */
export const feeSchedule = (): FeeSchedule => ({
  rate: config.DONATION_FEE_RATE,
  fixedCents: config.DONATION_FEE_FIXED_CENTS,
});

/** Converts a decimal to a fraction: `0.029` to 29/1000. */
function toFraction(rate: string): { numerator: bigint; denominator: bigint } {
  const digits = rate.slice(rate.indexOf('.') + 1);
  return { numerator: BigInt(digits), denominator: 10n ** BigInt(digits.length) };
}

/** Divides and rounds up. Both numbers are positive. */
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Returns the fee of a charge: the rate times the amount, rounded up, plus the fixed part. */
export function feeCentsOf(amountCents: number, { rate, fixedCents } = feeSchedule()): number {
  const { numerator, denominator } = toFraction(rate);
  return Number(divideUp(BigInt(amountCents) * numerator, denominator)) + fixedCents;
}

/** Returns the amount to charge when the donor covers the fee: after the fee, at least the base amount remains. */
export function coveringAmountCents(baseCents: number, { rate, fixedCents } = feeSchedule()): number {
  const { numerator, denominator } = toFraction(rate);
  return Number(divideUp(BigInt(baseCents + fixedCents) * denominator, denominator - numerator));
}
