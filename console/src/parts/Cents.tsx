/** Formats by currency: creating one takes far longer than using it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const format = formats.get(currency) ?? new Intl.NumberFormat(undefined, { style: 'currency', currency });
  formats.set(currency, format);
  return format;
}

/** Returns the number of decimal digits; not every currency has hundredths. */
const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** Formats an amount in minor units. @param currency as the API names it, for example `usd` */
export const formatCents = (cents: number, currency: string): string =>
  formatOf(currency).format(cents / 10 ** digitsOf(currency));

/** Returns an amount as a person types it, without currency. `parseCents` reads it. */
export const amountText = (cents: number, currency: string): string =>
  (cents / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** Reads an amount that a person typed, in minor units: 0 for an empty text, null for a text that is no amount. */
export function parseCents(text: string, currency: string): number | null {
  if (text.trim() === '') return 0;
  if (!/^\d+([.,]\d+)?$/.test(text.trim())) return null;
  const cents = Number(text.trim().replace(',', '.')) * 10 ** digitsOf(currency);
  // Products of decimal fractions are inexact; whole minor units are exact once rounded.
  return Math.abs(cents - Math.round(cents)) < 1e-6 ? Math.round(cents) : null;
}

/** An amount. Where the API leaves it out, nothing is shown. */
export const Cents = ({ cents, currency }: { cents: number | null; currency: string }) =>
  cents === null ? null : formatCents(cents, currency);
