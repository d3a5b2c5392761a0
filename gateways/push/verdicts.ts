/** The few things that an answer can mean. */
import type { Verdict } from './port.js';

export const accepted = (gatewayId: string | null): Verdict => ({
  outcome: 'success',
  errorCode: null,
  gatewayId,
  next: { do: 'nothing' },
});

/** @param registeredBefore null: whatever was known when it was asked. @param prune false: the gateway's word is not enough */
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

export const tryLater = (errorCode: string, afterSeconds: number | null = null): Verdict =>
  transient(errorCode, { do: 'repeat', afterSeconds });

/** What is wrong with the message stays wrong when it is repeated. */
export const refused = (errorCode: string): Verdict => transient(errorCode, { do: 'nothing' });

export const credentialsRefused = (errorCode: string): Verdict => transient(errorCode, { do: 'pause_gateway' });

/** Only who is unknown in the other environment, too, is unregistered. */
export const unknownHere = (errorCode: string): Verdict => transient(errorCode, { do: 'try_other_environment' });

/** Statuses that say 'not now' rather than 'no'. */
export const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** A gateway's word as it may be kept: they are short names; what is none is not kept. */
export const wordOr = (word: unknown, otherwise: string): string =>
  typeof word === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(word) ? word : otherwise;

const LONGEST_WAIT_SECONDS = 86_400;

/** What begins as a date of HTTP does, by a day of the week: of anything else `Date.parse` makes some day of 2001. */
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** Retry-After (RFC 9110, 10.2.3): seconds or a date. @returns seconds, at least 1; null when it says nothing usable */
export function retryAfter(value: string | null, now = Date.now()): number | null {
  const said = value?.trim() ?? '';
  const seconds = /^\d+$/.test(said) ? Number(said) : DATE.test(said) ? (Date.parse(said) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT_SECONDS);
}
