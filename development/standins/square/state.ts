/** What the stand-in of Square remembers, by account: its own objects, and the little that it must know beside them. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

export interface Endpoint {
  /** Null: of every account. */
  account: string | null;
  url: string;
  secret: string;
}

export interface Moved {
  kind: 'capture' | 'refund';
  payment: string;
  amount_cents: number;
  at: string;
}

interface Kept {
  payment: Record<string, Payment & { account: string }>;
  refund: Record<string, Refund & { account: string }>;
  order: Record<string, Order & { account: string }>;
  link: Record<string, Link & { account: string }>;
  /** Answers by account and key. */
  answered: Record<string, { asked: string; status: number; body: Fields; made: string | null }>;
  revoked: string[];
  endpoints: Endpoint[];
  ledger: Moved[];
}

const empty = (): Kept => ({
  payment: {},
  refund: {},
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

export class State {
  kept: Kept;
  private readonly file: string | null;

  /** @param dataDir state survives a restart when given */
  constructor(dataDir?: string) {
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.file = dataDir ? path.join(dataDir, 'square.json') : null;
    this.kept = this.file && existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Kept) : empty();
  }

  reset(): void {
    this.kept = empty();
    this.save();
  }

  /** Called before an answer is sent: what was answered is never forgotten. */
  save(): void {
    if (this.file) writeFileSync(this.file, JSON.stringify(this.kept));
  }

  moved(kind: Moved['kind'], payment: string, { amount }: Money): void {
    this.kept.ledger.push({ kind, payment, amount_cents: amount, at: new Date().toISOString() });
  }

  /** What is neither refused nor failed of a payment's refunds. */
  refunded({ refund_ids }: Payment): number {
    return refund_ids
      .map((id) => this.kept.refund[id])
      .reduce((sum, one) => sum + (one && one.status !== 'FAILED' ? one.amount_money.amount : 0), 0);
  }
}
