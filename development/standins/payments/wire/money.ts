/** Currencies and amounts in minor units. */
import { invalidRequest } from './errors.js';
import type { Parameters } from './parameters.js';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
const LARGEST = 99_999_999;
const SMALLEST = 50;

/** An amount for people: `$25.00`. */
export function formatMoney(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The required currency parameter, lower case. */
export function currencyFrom(params: Parameters): string {
  const currency = params.required('currency').toLowerCase();
  if (CURRENCIES.has(currency)) return currency;
  throw invalidRequest(`Invalid currency: ${currency}.`, { param: params.name('currency') });
}

/** Refuses amounts that the networks would not carry. */
export function checkAmount(amount: number, currency: string, param: string): number {
  if (amount < SMALLEST) {
    const smallest = `${formatMoney(SMALLEST, currency)} ${currency}`;
    throw invalidRequest(`Amount must be at least ${smallest}`, { code: 'amount_too_small', param });
  }
  if (amount > LARGEST) {
    const largest = `${formatMoney(LARGEST, currency)} ${currency}`;
    throw invalidRequest(`Amount must be no more than ${largest}`, { code: 'amount_too_large', param });
  }
  return amount;
}
