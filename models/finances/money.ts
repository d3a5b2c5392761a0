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

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

/** Formats an amount with the currency's symbol, `$1,234.50`, or with its code, `USD 1,234.50`. */
export function money(minorUnits: number, currency: string, display: Display = 'symbol'): string {
  const format = formatOf(currency, display);
  return format.format(minorUnits / 10 ** digitsOf(format));
}

/** Formats an amount as an exact decimal number. */
export function decimal(minorUnits: bigint, currency: string): string {
  const digits = digitsOf(formatOf(currency));
  const text = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minorUnits < 0n ? `-${whole}` : whole;
}
