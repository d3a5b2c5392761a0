/** Maximum of one gift, in cents. It is the maximum charge of the provider with the lowest maximum. */
export const MAX_CHARGE_CENTS = 99_999_999;
