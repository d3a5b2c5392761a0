import { ChargeRefused, type PaymentPort } from './port.js';

/** The operations on kept cards of a provider without the capability `recurring`. All of them are refused. */
export const withoutKeptCards: Pick<PaymentPort, 'findCharge' | 'forgetCard'> = {
  findCharge: () => Promise.reject(refusal()),
  forgetCard: () => Promise.reject(refusal()),
};

/**
 * Refuses a request that needs a kept card.
 * @throws ChargeRefused
 */
export function refuseKeptCard(isRequested: boolean | undefined): void {
  if (isRequested) throw refusal();
}

const refusal = () => new ChargeRefused('recurring_not_supported', 'This provider keeps no cards for later charges.');
