/** Words of pledges that the API, the models and the processes share. */

export const RECURRING_INTERVALS = ['monthly', 'quarterly', 'annually'] as const;
export type RecurringInterval = (typeof RECURRING_INTERVALS)[number];

/**
 * active: charged when a period is due. past_due: the last charge was declined or missed, and the next one is still
 * charged. paused: not charged until it is resumed. cancelled: never charged again.
 */
export const PLEDGE_STATUSES = ['active', 'past_due', 'paused', 'cancelled'] as const;
export type PledgeStatus = (typeof PLEDGE_STATUSES)[number];

/** Actors who cancel pledges. mailed_link: a person who opened the link in a mail to the donor. */
export const CANCELLERS = ['donor', 'mailed_link', 'admin', 'account_deletion', 'process'] as const;
export type Canceller = (typeof CANCELLERS)[number];

/** Actors who pause and resume pledges. */
export type Mover = 'donor' | 'admin' | 'process';
