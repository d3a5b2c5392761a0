/** Card providers, and what an account takes money for. */

export const PROVIDERS = ['stripe', 'square', 'paypal', 'checkout'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Invoices and remittances, or gifts. */
export const PURPOSES = ['dues', 'foundation'] as const;
export type Purpose = (typeof PURPOSES)[number];
