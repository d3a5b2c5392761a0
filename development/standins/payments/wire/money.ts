/** Currencies and amounts in minor units. */
import { invalidRequest } from './errors.js';
import type { Parameters } from './parameters.js';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
const MAX_AMOUNT = 99_999_999;
const MIN_AMOUNT = 50;

/** Formats an amount for people: `$25.00`. */
export function formatMoney(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Returns the required currency parameter in lower case. */
export function currencyFrom(params: Parameters): string {
  const currency = params.required('currency').toLowerCase();
  if (CURRENCIES.has(currency)) return currency;
  throw invalidRequest(`Invalid currency: ${currency}.`, { param: params.name('currency') });
}

/** Refuses amounts outside the card networks' limits. */
export function checkAmount(amount: number, currency: string, param: string): number {
  if (amount < MIN_AMOUNT) {
    const smallest = `${formatMoney(MIN_AMOUNT, currency)} ${currency}`;
    throw invalidRequest(`Amount must be at least ${smallest}`, { code: 'amount_too_small', param });
  }
  if (amount > MAX_AMOUNT) {
    const largest = `${formatMoney(MAX_AMOUNT, currency)} ${currency}`;
    throw invalidRequest(`Amount must be no more than ${largest}`, { code: 'amount_too_large', param });
  }
  return amount;
}
