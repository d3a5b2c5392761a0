/** The payment adapters: one entry for each provider. No other code refers to a provider by name. */
import { knowsCharge, readAccount as readCheckoutAccount } from './checkout/account.js';
import { checkoutEvents } from './checkout/events.js';
import { type EventReader } from './events.js';
import { metered } from './metered.js';
import {
  ChargeRefused,
  type Credentials,
  type GatewayAccount,
  type PaymentPort,
  type ProcessorAccess,
} from './port.js';
import { readPaypalAccount } from './paypal/account.js';
import { paypalEvents } from './paypal/events.js';
import { readSquareAccount } from './square/account.js';
import { squareEvents } from './square/events.js';
import { stripeEvents } from './stripeEvents.js';

export interface ProviderAdapter {
  /**
   * Loads the provider's library, which only worker processes may hold in memory, and returns the constructor of its
   * port.
   */
  load: () => Promise<(credentials: Credentials) => PaymentPort>;
  /**
   * Returns the account of credentials, without a library, so that it can run in API processes.
   * @throws CredentialsRefused with the wrong field; OutcomeUnknown
   */
  readAccount: (credentials: Credentials) => Promise<GatewayAccount>;
  /**
   * Reports whether a charge belongs to an account. Needed only for a provider that does not tell to which account a
   * key belongs, so that `readAccount` cannot verify it.
   * @throws CredentialsRefused, OutcomeUnknown
   */
  knowsCharge?: (credentials: Credentials, intentId: string) => Promise<boolean>;
  /**
   * Whether opening a charge already authorizes money. If so, a charge must be found and cancelled when the response to
   * its opening got lost.
   */
  openingAuthorizes: boolean;
  events: EventReader;
}

const ADAPTERS: Readonly<Record<string, ProviderAdapter>> = {
  stripe: {
    load: async () => (await import('./stripe.js')).stripePort,
    readAccount: async (credentials) => (await import('./stripe.js')).stripePort(credentials).readAccount(),
    openingAuthorizes: false,
    events: stripeEvents,
  },
  square: {
    load: async () => (await import('./square/port.js')).squarePort,
    readAccount: readSquareAccount,
    openingAuthorizes: true,
    events: squareEvents,
  },
  paypal: {
    load: async () => (await import('./paypal/port.js')).paypalPort,
    readAccount: readPaypalAccount,
    openingAuthorizes: true,
    events: paypalEvents,
  },
  checkout: {
    load: async () => (await import('./checkout/port.js')).checkoutPort,
    readAccount: readCheckoutAccount,
    knowsCharge,
    openingAuthorizes: true,
    events: checkoutEvents,
  },
};

/**
 * Returns the adapter of a provider.
 * @throws ChargeRefused if there is none
 */
export function adapterOf(provider: string): ProviderAdapter {
  const adapter = ADAPTERS[provider];
  if (!adapter) throw new ChargeRefused('provider_not_implemented', 'This payment provider is not implemented yet.');
  return adapter;
}

/**
 * Returns the port of an account.
 * @throws ChargeRefused if the provider has no adapter
 */
export function paymentPort({ provider, credentials }: ProcessorAccess): PaymentPort {
  const { load } = adapterOf(provider);
  return metered(async () => (await load())(credentials));
}

/**
 * Returns the id of our processor that an event of any provider contains; null if there is none. The id is not
 * verified.
 */
export function processorNamedIn(rawBody: Buffer): string | null {
  for (const { events } of Object.values(ADAPTERS)) {
    const named = events.processorNamedIn(rawBody);
    if (named !== null) return named;
  }
  return null;
}
