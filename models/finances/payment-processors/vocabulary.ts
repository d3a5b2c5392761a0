/** The card providers, and the purposes for which an organization's account at a provider takes money. */

export const PROVIDERS = ['stripe', 'square', 'paypal', 'checkout'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** dues: the account takes payments of invoices and remittances. foundation: it takes gifts. */
export const PURPOSES = ['dues', 'foundation'] as const;
export type Purpose = (typeof PURPOSES)[number];
