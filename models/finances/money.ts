/** Amounts in minor units as people and tables write them: not every currency has hundredths (ISO 4217). */

type Display = NonNullable<Intl.NumberFormatOptions['currencyDisplay']>;

/** Making one takes far longer than using it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, currencyDisplay: Display = 'symbol'): Intl.NumberFormat {
  const key = `${currency} ${currencyDisplay}`;
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay });
  formats.set(key, format);
  return format;
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

/** In the currency's own way: `$1,234.50`, or by its code, `USD 1,234.50`. */
export function money(minorUnits: number, currency: string, display: Display = 'symbol'): string {
  const format = formatOf(currency, display);
  return format.format(minorUnits / 10 ** digitsOf(format));
}

/** A decimal number, exact. */
export function decimal(minorUnits: bigint, currency: string): string {
  const digits = digitsOf(formatOf(currency));
  const text = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minorUnits < 0n ? `-${whole}` : whole;
}
