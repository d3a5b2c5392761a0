/** Identities of charges. They follow from the pledge, so that a restored backup repeats the same charge, not another. */
import { createHash } from 'node:crypto';

/** Idempotency key of a charge. @param number of the charge within its period, beginning with 1 */
export const chargeKeyOf = (pledgeId: string, period: number, number: number): string =>
  `pledge-${pledgeId}-${period}-${number}`;

/** Returns the id of the attempt for a charge. */
export const chargeAttemptId = (pledgeId: string, period: number, number: number): string =>
  derivedId(chargeKeyOf(pledgeId, period, number));

/**
 * Returns the id of the gift of a period. Like a version 7 UUID it begins with a time, because lists of gifts are sorted by
 * id. @param dueOn the day on which the period is due, YYYY-MM-DD
 */
export function periodGiftId(pledgeId: string, period: number, dueOn: string): string {
  const time = Date.parse(dueOn).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${derivedId(`gift-${pledgeId}-${period}`).slice(13)}`;
}

/** Derives a version 8 UUID from a text (RFC 9562, 5.8). */
function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
