/** What providers' answers have in common. */
import { isPassing } from '../push/verdicts.js';
import { CredentialsRefused, ProviderBusy, ProviderRefused, ProviderUnavailable } from './port.js';

export const TIMEOUT_MS = 10_000;

/** A provider's word as it may be kept: short, and one word. */
export const wordOf = (text: unknown, otherwise: string): string =>
  typeof text === 'string' && /^[A-Za-z][\w.-]{0,59}$/.test(text) ? text : otherwise;

/** @param text of the header: seconds, or a date @returns seconds, an hour at most */
export function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(3_600, Math.max(1, Math.ceil(seconds))) : null;
}

/** A name as long as a provider takes it. */
export const atMost = (characters: number, name: string): string => Array.from(name).slice(0, characters).join('');

/** What every provider means by a status. @param code its word */
export function failureOf(status: number, code: string, retryAfter: string | null) {
  const seconds = secondsOf(retryAfter);
  if (status === 429 || (status === 503 && seconds !== null)) return new ProviderBusy(code, seconds, true);
  if (status === 401 || status === 403) return new CredentialsRefused(code);
  return isPassing(status) ? new ProviderUnavailable(code) : new ProviderRefused(code);
}
