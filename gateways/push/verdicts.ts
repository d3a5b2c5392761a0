/** Verdicts, which are the possible meanings of a gateway's response. */
import type { Verdict } from './port.js';

export const accepted = (gatewayId: string | null): Verdict => ({
  outcome: 'success',
  errorCode: null,
  gatewayId,
  next: { do: 'nothing' },
});

/**
 * Returns the verdict that the token is not registered any more.
 * @param registeredBefore registrations before this time are invalid; null: registrations before the time of the
 * request are
 * @param prune false: keep the token, because this response alone is not sufficient to remove it
 */
export const unregistered = (errorCode: string, registeredBefore: Date | null, prune = true): Verdict => ({
  outcome: 'unregistered',
  errorCode,
  gatewayId: null,
  next: prune ? { do: 'prune', registeredBefore } : { do: 'nothing' },
});

const transient = (errorCode: string, next: Verdict['next']): Verdict => ({
  outcome: 'transient_failure',
  errorCode,
  gatewayId: null,
  next,
});

export const retryLater = (errorCode: string, afterSeconds: number | null = null): Verdict =>
  transient(errorCode, { do: 'repeat', afterSeconds });

/** The message itself is faulty, so repeating it is useless. */
export const refused = (errorCode: string): Verdict => transient(errorCode, { do: 'nothing' });

export const credentialsRefused = (errorCode: string): Verdict => transient(errorCode, { do: 'pause_gateway' });

/**
 * The token is unknown in this environment. It counts as unregistered only if it is unknown in the other environment,
 * too.
 */
export const unknownInEnvironment = (errorCode: string): Verdict =>
  transient(errorCode, { do: 'try_other_environment' });

/** Reports whether a status is temporary. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Returns the error code of a gateway if it is a short name, which may be stored. */
export const wordOr = (word: unknown, fallback: string): string =>
  typeof word === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(word) ? word : fallback;

const MAX_WAIT_SECONDS = 86_400;

/**
 * Matches the weekday with which an HTTP date begins. Other text is refused, because `Date.parse` may read it as a date
 * of the year 2001.
 */
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Reads Retry-After (RFC 9110, 10.2.3): seconds or a date.
 * @returns seconds, at least 1; null if the value is unusable
 */
export function retryAfter(value: string | null, now = Date.now()): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : DATE.test(text) ? (Date.parse(text) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);
}
