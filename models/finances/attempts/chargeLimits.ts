/** What one charge can be, in cents. Stripe, "Minimum and maximum charge amounts", for dollars. */
export const MIN_CHARGE_CENTS = 50;
export const MAX_CHARGE_CENTS = 99_999_999;
