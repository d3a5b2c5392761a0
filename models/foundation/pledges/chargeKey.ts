/** Identities of charges. They follow from the pledge, so that a restored backup repeats the same charge, not another. */
import { createHash } from 'node:crypto';

/** Idempotency key of a charge. @param number of the charge within its period, beginning with 1 */
export const chargeKeyOf = (pledgeId: string, period: number, number: number): string =>
  `pledge-${pledgeId}-${period}-${number}`;

/** Returns the id of the attempt for a charge. */
export const chargeAttemptId = (pledgeId: string, period: number, number: number): string =>
  derivedId(chargeKeyOf(pledgeId, period, number));

/** Returns the id of the gift of a period. */
export const periodGiftId = (pledgeId: string, period: number): string => derivedId(`gift-${pledgeId}-${period}`);

/** Derives a version 8 UUID from a text (RFC 9562, 5.8). */
function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
