/** Maximum of one gift, in cents: that of one charge at the strictest provider. */
export const MAX_CHARGE_CENTS = 99_999_999;
