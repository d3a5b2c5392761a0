/** Maximum amount of one charge in US dollars, in cents (Stripe, "Minimum and maximum charge amounts"). */
export const MAX_CHARGE_CENTS = 99_999_999;
