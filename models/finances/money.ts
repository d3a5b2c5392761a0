/** Formats amounts in minor units for people and for tables. Not every currency has hundredths (ISO 4217). */

type Display = NonNullable<Intl.NumberFormatOptions['currencyDisplay']>;

/** Cache of formats: creating one takes far longer than using it. */
const formatCache = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, currencyDisplay: Display = 'symbol'): Intl.NumberFormat {
  const key = `${currency} ${currencyDisplay}`;
  const format =
    formatCache.get(key) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay });
  formatCache.set(key, format);
  return format;
}

/** Cache of the number of decimal digits: a format computes all its options anew on each call. */
const digitsCache = new WeakMap<Intl.NumberFormat, number>();

function digitsOf(format: Intl.NumberFormat): number {
  const digits = digitsCache.get(format) ?? format.resolvedOptions().maximumFractionDigits ?? 2;
  digitsCache.set(format, digits);
  return digits;
}

const symbolOf = (format: Intl.NumberFormat): string =>
  format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';

/** Formats an amount with the currency's symbol, `$1,234.50`, or with its code, `USD 1,234.50`. */
export function money(minorUnits: number, currency: string, display: Display = 'symbol'): string {
  const format = formatOf(currency, display);
  return format.format(minorUnits / 10 ** digitsOf(format));
}

/**
 * Parses an amount that a person typed, such as `1,234.50`, `$50` or `50 USD`.
 * @returns minor units; null if it is no amount, is negative, or has a part of a minor unit
 */
export function parseMoney(typed: string, currency: string): number | null {
  const format = formatOf(currency);
  let number = typed.trim().toUpperCase();
  for (const sign of [symbolOf(format), symbolOf(formatOf(currency, 'narrowSymbol')), currency.toUpperCase()]) {
    if (number.startsWith(sign)) number = number.slice(sign.length).trim();
    else if (number.endsWith(sign)) number = number.slice(0, -sign.length).trim();
  }
  const [, whole, fraction = ''] = /^(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d*))?$/.exec(number) ?? [];
  if (whole === undefined || fraction.length > digitsOf(format)) return null;
  const minorUnits = Number(whole.replaceAll(',', '') + fraction.padEnd(digitsOf(format), '0'));
  return Number.isSafeInteger(minorUnits) ? minorUnits : null;
}

/** Formats an amount as an exact decimal number. */
export function decimal(minorUnits: bigint, currency: string): string {
  const digits = digitsOf(formatOf(currency));
  const text = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minorUnits < 0n ? `-${whole}` : whole;
}
