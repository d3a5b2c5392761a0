/** What the answers of APNs mean (Apple: 'Handling notification responses from APNs'). */
import type { Verdict } from './port.js';
import {
  accepted,
  credentialsRefused,
  isPassing,
  refused,
  retryAfter,
  tryLater,
  unregistered,
  wordOr,
  unknownHere,
} from './verdicts.js';

export interface ApnsAnswer {
  /** null: there was none. */
  status: number | null;
  reason?: unknown;
  /** Milliseconds since 1970: since when the device has not had the app. */
  timestamp?: unknown;
  retryAfter: string | null;
  apnsId: string | null;
}

/** A token of the other environment or of another app looks the same as one that never was. */
const OF_ELSEWHERE = ['BadDeviceToken', 'DeviceTokenNotForTopic'];

export function apnsVerdict({ status, reason, timestamp, retryAfter: later, apnsId }: ApnsAnswer): Verdict {
  if (status === null) return tryLater(wordOr(reason, 'no_answer'));
  const code = wordOr(reason, `http_${status}`);
  if (status === 200) return accepted(apnsId);
  if (status === 410) {
    const since = typeof timestamp === 'number' && timestamp > 0 ? new Date(timestamp) : null;
    const known = since !== null && !Number.isNaN(since.getTime());
    return known ? unregistered(code, since) : unregistered(code, null, false);
  }
  if (status === 400 && OF_ELSEWHERE.includes(code)) return unknownHere(code);
  if (status === 401 || status === 403) return credentialsRefused(code);
  return isPassing(status) ? tryLater(code, retryAfter(later)) : refused(code);
}
