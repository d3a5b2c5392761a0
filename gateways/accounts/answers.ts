/** Functions that the adapters of all account providers share. */
import { isTemporary } from '../push/verdicts.js';
import { CredentialsRefused, ProviderBusy, ProviderRefused, ProviderUnavailable } from './port.js';

export const TIMEOUT_MS = 10_000;

/**
 * Returns a provider's error code if it is one short word, because only such a code may be stored. Otherwise returns
 * the fallback.
 */
export const wordOf = (text: unknown, fallback: string): string =>
  typeof text === 'string' && /^[A-Za-z][\w.-]{0,59}$/.test(text) ? text : fallback;

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns seconds, at most one hour; null if the header is missing or unreadable
 */
export function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(3_600, Math.max(1, Math.ceil(seconds))) : null;
}

/** Cuts a name to the maximum length of a provider. */
export const atMost = (characters: number, name: string): string => Array.from(name).slice(0, characters).join('');

/**
 * Returns the error for an HTTP status that has the same meaning for every provider.
 * @param code the provider's error code
 */
export function failureOf(status: number, code: string, retryAfter: string | null) {
  const seconds = secondsOf(retryAfter);
  if (status === 429 || (status === 503 && seconds !== null)) return new ProviderBusy(code, seconds, true);
  if (status === 401 || status === 403) return new CredentialsRefused(code);
  return isTemporary(status) ? new ProviderUnavailable(code) : new ProviderRefused(code);
}
