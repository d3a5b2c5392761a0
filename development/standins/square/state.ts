/** State of the Square stand-in by account: Square's own objects and some additional fields. */
import { createHash, randomBytes } from 'node:crypto';
import { type CommonState, type WebhookEndpoint, StoredState, type Movement } from '../kit/storedState.js';

export type Fields = Record<string, unknown>;

export interface Money {
  amount: number;
  currency: string;
}

export interface Payment extends Fields {
  id: string;
  status: 'APPROVED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
  amount_money: Money;
  refund_ids: string[];
  order_id?: string;
}

export interface Refund extends Fields {
  id: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  amount_money: Money;
  payment_id: string;
}

export interface Dispute extends Fields {
  id: string;
  state: 'EVIDENCE_REQUIRED' | 'WON' | 'LOST';
  amount_money: Money;
  disputed_payment: { payment_id: string };
  location_id: string;
  updated_at: string;
  version: number;
}

export interface Order extends Fields {
  id: string;
  state: 'OPEN' | 'COMPLETED' | 'CANCELED';
  location_id: string;
  created_at: string;
  total_money: Money;
  tenders: Fields[];
}

export interface Link extends Fields {
  id: string;
  order_id: string;
  url: string;
}

export interface Endpoint extends WebhookEndpoint {
  secret: string;
}

interface StateData extends CommonState<Endpoint> {
  payment: Record<string, Payment & { account: string }>;
  refund: Record<string, Refund & { account: string }>;
  dispute: Record<string, Dispute & { account: string }>;
  order: Record<string, Order & { account: string }>;
  link: Record<string, Link & { account: string }>;
  /** Stored responses by account and idempotency key. */
  answered: Record<string, { asked: string; status: number; body: Fields; made: string | null }>;
}

const empty = (): StateData => ({
  payment: {},
  refund: {},
  dispute: {},
  order: {},
  link: {},
  answered: {},
  revoked: [],
  endpoints: [],
  ledger: [],
});

export const newId = (): string => randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x');

/** Derives the account from its token. */
export const accountOf = (token: string): string =>
  `ML${createHash('sha256').update(token).digest('hex').slice(0, 16).toUpperCase()}`;

export class State extends StoredState<StateData> {
  /** @param dataDir folder for the state, so that it survives a restart */
  constructor(dataDir?: string) {
    super(empty, 'square', dataDir);
  }

  moved(kind: Movement['kind'], payment: string, { amount }: Money): void {
    this.note(kind, payment, amount);
  }

  /**
   * Reports whether a dispute about the payment exists that the seller has not won. The bank has then taken the money
   * back, or may do so.
   */
  isDisputed = ({ id }: Payment): boolean =>
    Object.values(this.kept.dispute).some((one) => one.disputed_payment.payment_id === id && one.state !== 'WON');

  /** Returns the sum of a payment's refunds that have not failed. */
  refundedAmount({ refund_ids }: Payment): number {
    return refund_ids
      .map((id) => this.kept.refund[id])
      .reduce((sum, one) => sum + (one && one.status !== 'FAILED' ? one.amount_money.amount : 0), 0);
  }
}
