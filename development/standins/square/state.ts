/** What the stand-in of Square remembers, by account: its own objects, and the little that it must know beside them. */
import { createHash, randomBytes } from 'node:crypto';
import { type Common, type Hearer, KeptState, type Moved } from '../kit/keptState.js';

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

export interface Endpoint extends Hearer {
  secret: string;
}

interface Kept extends Common<Endpoint> {
  payment: Record<string, Payment & { account: string }>;
  refund: Record<string, Refund & { account: string }>;
  dispute: Record<string, Dispute & { account: string }>;
  order: Record<string, Order & { account: string }>;
  link: Record<string, Link & { account: string }>;
  /** Answers by account and key. */
  answered: Record<string, { asked: string; status: number; body: Fields; made: string | null }>;
}

const empty = (): Kept => ({
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

/** Each token opens an account of its own. */
export const accountOf = (token: string): string =>
  `ML${createHash('sha256').update(token).digest('hex').slice(0, 16).toUpperCase()}`;

export class State extends KeptState<Kept> {
  /** @param dataDir state survives a restart when given */
  constructor(dataDir?: string) {
    super(empty, 'square', dataDir);
  }

  moved(kind: Moved['kind'], payment: string, { amount }: Money): void {
    this.note(kind, payment, amount);
  }

  /** Whether a bank has it back, or may have. */
  isDisputed = ({ id }: Payment): boolean =>
    Object.values(this.kept.dispute).some((one) => one.disputed_payment.payment_id === id && one.state !== 'WON');

  /** What is neither refused nor failed of a payment's refunds. */
  refunded({ refund_ids }: Payment): number {
    return refund_ids
      .map((id) => this.kept.refund[id])
      .reduce((sum, one) => sum + (one && one.status !== 'FAILED' ? one.amount_money.amount : 0), 0);
  }
}
