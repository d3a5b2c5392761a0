/** What is known of each provider of cards without asking it: one entry each. Its adapter is in `gateways/payments/processors.ts`. */
import { z } from 'zod';
import type { Provider } from './OrgPaymentProcessor.js';

export interface ProviderFacts {
  /** What its account wants beside the secret key. */
  settings: z.ZodType<Record<string, string>>;
  /** Whether it says itself whose account a key opens. */
  namesAccount: boolean;
  /** Which of these its form in the browser needs: no secrets. */
  formSettings: string[];
  /** Its tokens of cards. */
  paymentMethod: RegExp;
  /** The least that it charges, in cents of the dollar. */
  leastChargeCents: number;
  /** After so many minutes its list of what moved is whole. */
  listedAfterMinutes: number;
  /** What it can do here. */
  capabilities: Capability[];
}

/** All that there is. */
export const CAPABILITIES = [
  'remittances',
  'hosted_page',
  'refunds',
  'partial_refunds',
  'credit_refunds',
  'reconciliation',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

const PROVIDER_FACTS: Readonly<Record<Provider, ProviderFacts>> = {
  stripe: {
    settings: z.strictObject({}),
    namesAccount: true,
    formSettings: [],
    paymentMethod: /^[A-Za-z0-9_-]{1,200}$/,
    // Stripe, "Minimum and maximum charge amounts".
    leastChargeCents: 50,
    listedAfterMinutes: 10,
    capabilities: [...CAPABILITIES],
  },
  square: {
    settings: z.strictObject({ location_id: z.string().regex(/^[A-Za-z0-9]{1,50}$/, 'Must be the id of a location.') }),
    namesAccount: true,
    formSettings: ['location_id'],
    paymentMethod: /^[a-z]{2,10}:[A-Za-z0-9_-]{3,280}$/,
    leastChargeCents: 100,
    listedAfterMinutes: 10,
    capabilities: CAPABILITIES.filter((one) => one !== 'credit_refunds'),
  },
  paypal: {
    settings: z.strictObject({
      client_id: z.string().regex(/^[A-Za-z0-9_-]{10,200}$/, 'Must be the id of an application.'),
    }),
    namesAccount: true,
    formSettings: ['client_id'],
    // PayPal, "vault_id"; others' tokens would be of that form too.
    paymentMethod: /^(paypal:)?(?!pm_|src_|tok_)[A-Za-z0-9_-]{1,255}$/,
    leastChargeCents: 1,
    // PayPal says three hours, and is later at times.
    listedAfterMinutes: 360,
    capabilities: CAPABILITIES.filter((one) => one !== 'credit_refunds'),
  },
  checkout: {
    settings: z.strictObject({
      processing_channel_id: z.string().regex(/^pc_[a-z2-7]{26}$/, 'Must be the id of a processing channel.'),
      subdomain: z.string().regex(/^[0-9a-z]{1,63}$/, 'Must be the subdomain of the account.'),
    }),
    namesAccount: false,
    formSettings: [],
    // What a card was typed into, or one that is kept.
    paymentMethod: /^(tok|src)_[a-z2-7]{26}$/,
    leastChargeCents: 1,
    // What it finds is behind what happens.
    listedAfterMinutes: 60,
    capabilities: CAPABILITIES.filter((one) => one !== 'credit_refunds'),
  },
};

export const factsOf = (provider: Provider): ProviderFacts => PROVIDER_FACTS[provider];

/** Of a tenant that has connected none, what most would charge. */
const USUAL_LEAST_CHARGE_CENTS = 50;

export const leastChargeCents = (provider: Provider | undefined): number =>
  (provider && factsOf(provider).leastChargeCents) ?? USUAL_LEAST_CHARGE_CENTS;
