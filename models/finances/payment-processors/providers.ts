/** What is known of each provider of cards without asking it: one entry each. Its adapter is in `gateways/payments/processors.ts`. */
import { z } from 'zod';
import type { Provider } from './OrgPaymentProcessor.js';

export interface ProviderFacts {
  /** What its account wants beside the secret key. */
  settings: z.ZodType<Record<string, string>>;
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

/** Without an entry a provider cannot be connected. */
const PROVIDER_FACTS: Readonly<Partial<Record<Provider, ProviderFacts>>> = {
  stripe: {
    settings: z.strictObject({}),
    formSettings: [],
    paymentMethod: /^[A-Za-z0-9_-]{1,200}$/,
    // Stripe, "Minimum and maximum charge amounts".
    leastChargeCents: 50,
    listedAfterMinutes: 10,
    capabilities: [...CAPABILITIES],
  },
  square: {
    settings: z.strictObject({ location_id: z.string().regex(/^[A-Za-z0-9]{1,50}$/, 'Must be the id of a location.') }),
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
    formSettings: ['client_id'],
    // PayPal, "vault_id"; others' tokens would be of that form too.
    paymentMethod: /^(paypal:)?(?!pm_|src_|tok_)[A-Za-z0-9_-]{1,255}$/,
    leastChargeCents: 1,
    // PayPal says three hours, and is later at times.
    listedAfterMinutes: 360,
    capabilities: CAPABILITIES.filter((one) => one !== 'credit_refunds'),
  },
};

/** null: it cannot be connected yet. */
export const factsOf = (provider: Provider): ProviderFacts | null => PROVIDER_FACTS[provider] ?? null;

/** Of a tenant that has connected none, what most would charge. */
const USUAL_LEAST_CHARGE_CENTS = 50;

export const leastChargeCents = (provider: Provider | undefined): number =>
  (provider && factsOf(provider)?.leastChargeCents) ?? USUAL_LEAST_CHARGE_CENTS;
