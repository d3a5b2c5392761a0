/** Static facts of each card provider. The adapters are in `gateways/payments/processors.ts`. */
import { z } from 'zod';
import type { Provider } from './OrgPaymentProcessor.js';

export interface ProviderFacts {
  /** Settings that an account needs besides the secret key. */
  settings: z.ZodType<Record<string, string>>;
  /** Whether the provider reports which account a key belongs to. */
  reportsAccount: boolean;
  /** The settings that the browser form needs; never secrets. */
  formSettings: string[];
  /** Format of the provider's card tokens. */
  paymentMethod: RegExp;
  /** Minimum charge, in US cents. */
  minChargeCents: number;
  /** How many minutes after a movement the provider's list of movements surely contains it. */
  listCompleteAfterMinutes: number;
  /** Operations that this platform supports with the provider. */
  capabilities: Capability[];
  /**
   * Failure codes with which a bank refuses a card for good: it was lost or stolen, or its holder forbade further
   * charges. Card networks fine merchants who try such a card again.
   */
  finalDeclines: readonly string[];
}

/** All capabilities. */
export const CAPABILITIES = [
  'remittances',
  'hosted_page',
  'refunds',
  'partial_refunds',
  'credit_refunds',
  'reconciliation',
  'recurring',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

const allBut = (...missing: Capability[]): Capability[] =>
  CAPABILITIES.filter((capability) => !missing.includes(capability));

const PROVIDER_FACTS: Readonly<Record<Provider, ProviderFacts>> = {
  stripe: {
    settings: z.strictObject({}),
    reportsAccount: true,
    formSettings: [],
    paymentMethod: /^[A-Za-z0-9_-]{1,200}$/,
    // Stripe, "Minimum and maximum charge amounts".
    minChargeCents: 50,
    listCompleteAfterMinutes: 10,
    capabilities: [...CAPABILITIES],
    // Stripe, "Decline codes".
    finalDeclines: [
      'lost_card',
      'stolen_card',
      'pickup_card',
      'stop_payment_order',
      'revocation_of_authorization',
      'revocation_of_all_authorizations',
    ],
  },
  square: {
    settings: z.strictObject({ location_id: z.string().regex(/^[A-Za-z0-9]{1,50}$/, 'Must be the id of a location.') }),
    reportsAccount: true,
    formSettings: ['location_id'],
    paymentMethod: /^[a-z]{2,10}:[A-Za-z0-9_-]{3,280}$/,
    minChargeCents: 100,
    listCompleteAfterMinutes: 10,
    capabilities: allBut('credit_refunds', 'recurring'),
    finalDeclines: [],
  },
  paypal: {
    settings: z.strictObject({
      client_id: z.string().regex(/^[A-Za-z0-9_-]{10,200}$/, 'Must be the id of an application.'),
    }),
    reportsAccount: true,
    formSettings: ['client_id'],
    // Format of PayPal's "vault_id". Tokens of other providers have the same form, so those with known prefixes are
    // excluded.
    paymentMethod: /^(paypal:)?(?!pm_|src_|tok_)[A-Za-z0-9_-]{1,255}$/,
    minChargeCents: 1,
    // PayPal documents a delay of three hours, but sometimes takes longer.
    listCompleteAfterMinutes: 360,
    capabilities: allBut('credit_refunds', 'recurring'),
    finalDeclines: [],
  },
  checkout: {
    settings: z.strictObject({
      processing_channel_id: z.string().regex(/^pc_[a-z2-7]{26}$/, 'Must be the id of a processing channel.'),
      subdomain: z.string().regex(/^[0-9a-z]{1,63}$/, 'Must be the subdomain of the account.'),
    }),
    reportsAccount: false,
    formSettings: [],
    // A token of a card form, or of a stored card.
    paymentMethod: /^(tok|src)_[a-z2-7]{26}$/,
    minChargeCents: 1,
    // The provider's search finds a payment later than its webhook event arrives.
    listCompleteAfterMinutes: 60,
    capabilities: allBut('credit_refunds'),
    // Checkout.com, "Response codes": pick up the card, lost card, stolen card.
    finalDeclines: ['30004', '30007', '30041', '30043'],
  },
};

export const providerFacts = (provider: Provider): ProviderFacts => PROVIDER_FACTS[provider];

/** Failure code of a kept card that the provider no longer has. The payment port uses the same code. */
export const CARD_GONE_CODE = 'card_gone';

/** Reports whether a kept card may be charged again after this failure. */
export const mayChargeAgain = (provider: Provider, failureCode: string): boolean =>
  failureCode !== CARD_GONE_CODE && !providerFacts(provider).finalDeclines.includes(failureCode);

/** Minimum charge for a tenant without a processor: that of most providers. */
const DEFAULT_MIN_CHARGE_CENTS = 50;

export const minChargeCentsOf = (provider: Provider | undefined): number =>
  (provider && providerFacts(provider).minChargeCents) ?? DEFAULT_MIN_CHARGE_CENTS;
