/** Decisions that an administrator can make about an unmatched payment of dues. */
export const RESOLUTIONS = ['refund', 'keep_as_credit'] as const;

/**
 * Decisions that an admin of the foundation can make about a payment. accept: the amount of the gift is changed to the
 * amount that was captured.
 */
export const GIFT_RESOLUTIONS = ['refund', 'accept'] as const;

export const RESOLUTION_STATUSES = ['pending', 'done', 'failed'] as const;
