/** The adapter for a provider. */
import { metered } from './metered.js';
import { ChargeRefused, type PaymentPort, type ProcessorAccess } from './port.js';
import { stripePort } from './stripe.js';

/** @throws ChargeRefused for a provider that has no adapter yet */
export function paymentPort({ provider, secretKey }: ProcessorAccess): PaymentPort {
  if (provider === 'stripe') return metered(stripePort(secretKey));
  throw new ChargeRefused('provider_not_implemented', 'This payment provider is not implemented yet.');
}
