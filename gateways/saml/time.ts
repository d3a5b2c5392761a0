/** Times in messages: XML Schema dateTime in UTC (SAML core, 1.3.3). */
import { SKEW_MS } from './names.js';
import { SamlRefused } from './refused.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Parses a time.
 * @returns milliseconds since 1970
 * @throws SamlRefused malformed
 */
export function instantOf(text: string): number {
  // Digits after milliseconds are dropped.
  const ms = INSTANT.test(text) ? Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) : Number.NaN;
  if (Number.isNaN(ms)) throw new SamlRefused('malformed', `This is not a valid time: ${text.slice(0, 40)}`);
  return ms;
}

/**
 * Checks that the current time is within the validity period that the attributes NotBefore and NotOnOrAfter give; both
 * attributes are optional.
 * @throws SamlRefused not_yet_valid, expired, malformed
 */
export function requireWithin(bounds: Readonly<Record<string, string>>, nowMs: number, what: string): void {
  const { NotBefore: from, NotOnOrAfter: until } = bounds;
  if (from !== undefined && nowMs + SKEW_MS < instantOf(from)) {
    throw new SamlRefused('not_yet_valid', `${what} is valid from ${from} on.`);
  }
  if (until !== undefined && nowMs - SKEW_MS >= instantOf(until)) {
    throw new SamlRefused('expired', `${what} was valid until ${until}.`);
  }
}
