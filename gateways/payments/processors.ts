/** Every provider that there is an adapter for: one entry each. Nothing else here knows a provider by name. */
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
  /** Loads the provider's library, which only processes that charge may hold in memory, and gives the port over it. */
  load: () => Promise<(credentials: Credentials) => PaymentPort>;
  /**
   * Whose account the credentials open, without a library that the API could not hold.
   * @throws CredentialsRefused naming which of them is wrong, OutcomeUnknown
   */
  readAccount: (credentials: Credentials) => Promise<GatewayAccount>;
  /**
   * Only where the provider does not say whose a key is, so that `readAccount` repeats what it was given: whether it opens the account of a charge.
   * @throws CredentialsRefused, OutcomeUnknown
   */
  knowsCharge?: (credentials: Credentials, intentId: string) => Promise<boolean>;
  /** Whether opening a charge holds money: then one whose answer got lost is found and closed before it is given up. */
  openingHolds: boolean;
  events: EventReader;
}

const ADAPTERS: Readonly<Record<string, ProviderAdapter>> = {
  stripe: {
    load: async () => (await import('./stripe.js')).stripePort,
    readAccount: async (credentials) => (await import('./stripe.js')).stripePort(credentials).readAccount(),
    openingHolds: false,
    events: stripeEvents,
  },
  square: {
    load: async () => (await import('./square/port.js')).squarePort,
    readAccount: readSquareAccount,
    openingHolds: true,
    events: squareEvents,
  },
  paypal: {
    load: async () => (await import('./paypal/port.js')).paypalPort,
    readAccount: readPaypalAccount,
    openingHolds: true,
    events: paypalEvents,
  },
  checkout: {
    load: async () => (await import('./checkout/port.js')).checkoutPort,
    readAccount: readCheckoutAccount,
    knowsCharge,
    openingHolds: true,
    events: checkoutEvents,
  },
};

/** @throws ChargeRefused for a provider that has no adapter */
export function adapterOf(provider: string): ProviderAdapter {
  const adapter = ADAPTERS[provider];
  if (!adapter) throw new ChargeRefused('provider_not_implemented', 'This payment provider is not implemented yet.');
  return adapter;
}

/** The port of an account. @throws ChargeRefused for a provider that has no adapter */
export function paymentPort({ provider, credentials }: ProcessorAccess): PaymentPort {
  const { load } = adapterOf(provider);
  return metered(async () => (await load())(credentials));
}

/** Which processor an event says that it is of, whoever sent it. */
export function processorNamedIn(rawBody: Buffer): string | null {
  for (const { events } of Object.values(ADAPTERS)) {
    const named = events.processorNamedIn(rawBody);
    if (named !== null) return named;
  }
  return null;
}
