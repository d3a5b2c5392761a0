/** The test cards and their behavior when they are attached or charged. */

export interface Decline {
  code: string;
  declineCode: string;
  message: string;
  advice: 'try_again_later' | 'do_not_try_again' | 'confirm_card_data';
}

export interface TestCard {
  label: string;
  brand: string;
  last4: string;
  /** `authenticate`: the bank requires the cardholder's authentication. */
  charge: 'approve' | 'authenticate' | Decline;
  attach: 'approve' | Decline;
  /** Refunds stay pending until the control port sets their outcome. */
  refundsStayPending?: boolean;
}

const decline = (code: string, declineCode: string, message: string, advice: Decline['advice']): Decline => ({
  code,
  declineCode,
  message,
  advice,
});

const GENERIC = decline('card_declined', 'generic_decline', 'Your card was declined.', 'try_again_later');

/** The decline for a card that needs the cardholder's authentication while the cardholder is absent. */
export const AUTHENTICATION_REQUIRED = decline(
  'authentication_required',
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
  'try_again_later',
);

const approving = (label: string, brand: string, last4: string): TestCard => ({
  label,
  brand,
  last4,
  charge: 'approve',
  attach: 'approve',
});

const declining = (label: string, last4: string, refusal: Decline): TestCard => ({
  label,
  brand: 'visa',
  last4,
  charge: refusal,
  attach: refusal,
});

const CARDS: Record<string, TestCard> = {
  visa: approving('Visa', 'visa', '4242'),
  mastercard: approving('Mastercard', 'mastercard', '4444'),
  amex: approving('American Express', 'amex', '8431'),
  discover: approving('Discover', 'discover', '1117'),
  visa_debit: approving('Visa debit', 'visa', '5556'),
  chargeDeclined: declining('Declined', '0002', GENERIC),
  chargeDeclinedInsufficientFunds: declining(
    'Declined: insufficient funds',
    '9995',
    decline('card_declined', 'insufficient_funds', 'Your card has insufficient funds.', 'try_again_later'),
  ),
  chargeDeclinedLostCard: declining(
    'Declined: lost card',
    '9987',
    decline('card_declined', 'lost_card', 'Your card was declined.', 'do_not_try_again'),
  ),
  chargeDeclinedStolenCard: declining(
    'Declined: stolen card',
    '9979',
    decline('card_declined', 'stolen_card', 'Your card was declined.', 'do_not_try_again'),
  ),
  chargeDeclinedExpiredCard: declining(
    'Declined: expired card',
    '0069',
    decline('expired_card', 'expired_card', 'Your card has expired.', 'confirm_card_data'),
  ),
  chargeDeclinedIncorrectCvc: declining(
    'Declined: incorrect security code',
    '0127',
    decline('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect.", 'confirm_card_data'),
  ),
  chargeDeclinedProcessingError: declining(
    'Declined: processing error',
    '0119',
    decline(
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
      'try_again_later',
    ),
  ),
  chargeCustomerFail: { ...declining('Attaches, then declines', '0341', GENERIC), attach: 'approve' },
  pendingRefund: { ...approving('Refunds take days', 'visa', '7726'), refundsStayPending: true },
  authenticationRequired: { ...approving('Requires authentication', 'visa', '3184'), charge: 'authenticate' },
};

/**
 * Returns the test card's name in `pm_card_…` or `tok_…`. Both spellings are accepted: with and without `visa_`
 * (`visa_chargeDeclined`, `chargeDeclined`).
 */
export function cardNameOf(token: string): string | undefined {
  const name = /^(?:pm_card|tok)_(\w+)$/.exec(token)?.[1];
  if (name === undefined) return undefined;
  return [name, name.replace(/^visa_/, '')].find((candidate) => Object.hasOwn(CARDS, candidate));
}

export function testCard(name: string): TestCard {
  const card = CARDS[name];
  if (!card) throw new Error(`no such test card: ${name}`);
  return card;
}

/** Lists the test cards as tokens and labels, for the hosted page. */
export function testCardChoices(): { token: string; label: string }[] {
  return Object.entries(CARDS).map(([name, card]) => ({
    token: `pm_card_${name}`,
    label: `${card.label} (•••• ${card.last4})`,
  }));
}
