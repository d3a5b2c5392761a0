/** The state of the stand-in: Stripe's own object types and some additional fields. */
import type Stripe from 'stripe';

/** An object, and the id of the account that may see it. By default each secret key has an account of its own. */
export interface Row<T> {
  account: string;
  value: T;
}

/**
 * A payment method with its test card, which decides every charge. A method without a customer can succeed only once.
 */
export interface PaymentMethodRow extends Row<Stripe.PaymentMethod> {
  card: string;
  spent: boolean;
}

/** A checkout session with the fields of its future payment intent. */
export interface SessionRow extends Row<Stripe.Checkout.Session> {
  lineItems: Stripe.LineItem[];
  intent: {
    metadata: Record<string, string>;
    description: string | null;
    capture_method: 'automatic' | 'manual';
    setup_future_usage?: 'on_session' | 'off_session' | null;
  };
}

/**
 * The subject of a payment: a remittance or a donation, which may belong to a pledge. Faults, redelivery and the ledger
 * select payments by it. All ids are null for other payments, such as those for invoices.
 */
export interface Subject {
  remittanceId: string | null;
  donationId: string | null;
  pledgeId: string | null;
}

export interface EventRow extends Row<Stripe.Event>, Subject {}

/** A webhook endpoint. `account` is `*` for an endpoint that receives the events of every account. */
export interface EndpointRow extends Row<Stripe.WebhookEndpoint> {
  secret: string;
}

/** The account of a secret key, stored under the key's digest. */
export interface KeyRow {
  /** Id of the account. */
  opens: string;
  revoked: boolean;
  /** False for a restricted key that may not read its account. */
  reads_account: boolean;
}

/** The stored response of the first request with an idempotency key. */
export interface IdempotencyRow {
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  at: number;
}

/** A money movement. */
export interface LedgerEntry {
  kind: 'capture' | 'refund';
  payment_intent: string;
  charge: string;
  remittance_id: string | null;
  donation_id: string | null;
  idempotency_key: string | null;
  amount_cents: number;
  at: string;
}

/** A delivery of one event to one endpoint. */
export interface Delivery {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  remittance_id: string | null;
  donation_id: string | null;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  delivered_at: string | null;
}

export interface Tables {
  customer: Row<Stripe.Customer>;
  payment_method: PaymentMethodRow;
  payment_intent: Row<Stripe.PaymentIntent>;
  charge: Row<Stripe.Charge>;
  refund: Row<Stripe.Refund>;
  dispute: Row<Stripe.Dispute>;
  payout: Row<Stripe.Payout>;
  session: SessionRow;
  balance_transaction: Row<Stripe.BalanceTransaction>;
  event: EventRow;
  webhook_endpoint: EndpointRow;
  key: KeyRow;
  idempotency: IdempotencyRow;
  ledger: LedgerEntry;
  delivery: Delivery;
}

export type Table = keyof Tables;

export const TABLES: readonly Table[] = [
  'customer',
  'payment_method',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'payout',
  'session',
  'balance_transaction',
  'event',
  'webhook_endpoint',
  'key',
  'idempotency',
  'ledger',
  'delivery',
];

/** One write to a table: the new row, or null to delete the row. */
export type Write = [table: Table, key: string, row: Tables[Table] | null];
