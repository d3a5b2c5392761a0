/** What an administrator may decide about a payment of dues. */
export const RESOLUTIONS = ['refund', 'keep_as_credit'] as const;

/** What an admin of the foundation may decide about a payment. accept: the captured amount becomes that of its gift. */
export const GIFT_RESOLUTIONS = ['refund', 'accept'] as const;

export const RESOLUTION_STATUSES = ['pending', 'done', 'failed'] as const;
