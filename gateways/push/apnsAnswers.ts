/** Translates the responses of APNs (Apple: 'Handling notification responses from APNs'). */
import type { Verdict } from './port.js';
import {
  accepted,
  credentialsRefused,
  isTemporary,
  refused,
  retryAfter,
  retryLater,
  unregistered,
  wordOr,
  unknownInEnvironment,
} from './verdicts.js';

export interface ApnsAnswer {
  /** HTTP status; null: there was no response. */
  status: number | null;
  reason?: unknown;
  /** Since when the token has been invalid, in milliseconds since 1970. */
  timestamp?: unknown;
  retryAfter: string | null;
  apnsId: string | null;
}

/**
 * Error codes that APNs gives for a token of the other environment. It gives the same codes for a token of another app
 * and for an invalid token.
 */
const WRONG_ENVIRONMENT_CODES = ['BadDeviceToken', 'DeviceTokenNotForTopic'];

export function apnsVerdict({ status, reason, timestamp, retryAfter: later, apnsId }: ApnsAnswer): Verdict {
  if (status === null) return retryLater(wordOr(reason, 'no_answer'));
  const code = wordOr(reason, `http_${status}`);
  if (status === 200) return accepted(apnsId);
  if (status === 410) {
    const since = typeof timestamp === 'number' && timestamp > 0 ? new Date(timestamp) : null;
    const isDated = since !== null && !Number.isNaN(since.getTime());
    return isDated ? unregistered(code, since) : unregistered(code, null, false);
  }
  if (status === 400 && WRONG_ENVIRONMENT_CODES.includes(code)) return unknownInEnvironment(code);
  if (status === 401 || status === 403) return credentialsRefused(code);
  return isTemporary(status) ? retryLater(code, retryAfter(later)) : refused(code);
}
