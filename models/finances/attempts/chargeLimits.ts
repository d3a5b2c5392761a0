/** Maximum amount of one charge, in cents. Stripe, "Minimum and maximum charge amounts", for dollars. */
export const MAX_CHARGE_CENTS = 99_999_999;
