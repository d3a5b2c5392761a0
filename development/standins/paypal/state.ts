/** What the stand-in of PayPal remembers, by account. */
import { createHash, randomBytes } from 'node:crypto';
import { type Common, type Hearer, KeptState, type Moved } from '../kit/keptState.js';

export type Fields = Record<string, unknown>;

export interface Money {
  currency_code: string;
  value: string;
}

interface Owned {
  account: string;
  id: string;
  create_time: string;
}

export interface Order extends Owned {
  status: 'CREATED' | 'APPROVED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED';
  intent: 'CAPTURE' | 'AUTHORIZE';
  unit: { reference_id: string; amount: Money; custom_id?: string; description?: string };
  return_url: string | null;
  /** What it is paid with: a token of the vault, or what the payer chose on the page. */
  source: string | null;
}

export interface Authorization extends Owned {
  order: string;
  status: 'CREATED' | 'CAPTURED' | 'VOIDED';
}

export interface Capture extends Owned {
  order: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
}

export interface Refund extends Owned {
  capture: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  amount: Money;
  custom_id?: string;
  /** What it ended. */
  dispute?: string;
}

export interface Dispute extends Owned {
  capture: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'RESOLVED';
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | null;
  amount: Money;
  /** Of the seller's money. */
  moved: { type: 'DEBIT' | 'CREDIT'; reason: string; amount: Money; initiated_time: string }[];
  update_time: string;
}

export interface Endpoint extends Hearer {
  webhook_id: string;
}

interface Kept extends Common<Endpoint> {
  order: Record<string, Order>;
  authorization: Record<string, Authorization>;
  capture: Record<string, Capture>;
  refund: Record<string, Refund>;
  dispute: Record<string, Dispute>;
  event: Record<string, { account: string; event: Fields }>;
  /** Ids of what was made, by account, operation and key. */
  made: Record<string, string>;
  tokens: Record<string, string>;
}

const empty = (): Kept => ({
  order: {},
  authorization: {},
  capture: {},
  refund: {},
  dispute: {},
  event: {},
  made: {},
  tokens: {},
  revoked: [],
  endpoints: [],
  ledger: [],
});

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
export const newId = (): string => [...randomBytes(17)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** Each client and its secret open an account of their own. */
export const accountOf = (clientId: string, secret: string): string =>
  createHash('sha256').update(`${clientId}:${secret}`).digest('hex').slice(0, 13).toUpperCase();

export const centsOf = ({ value }: Money): number => Math.round(Number(value) * 100);

export class State extends KeptState<Kept> {
  /** @param dataDir state survives a restart when given */
  constructor(dataDir?: string) {
    super(empty, 'paypal', dataDir);
  }

  moved(kind: Moved['kind'], payment: string, money: Money): void {
    this.note(kind, payment, centsOf(money));
  }

  capturesOf = ({ id }: Order): Capture[] => Object.values(this.kept.capture).filter(({ order }) => order === id);
  /** The refund that a dispute ended with. */
  endOf = ({ id }: Dispute): Refund | undefined =>
    Object.values(this.kept.refund).find(({ dispute }) => dispute === id);
  /** Cents of it that disputes have taken and not given back, but for what is among its refunds. */
  heldOf = ({ id }: Capture): number =>
    Object.values(this.kept.dispute)
      .filter((dispute) => dispute.capture === id && !this.endOf(dispute))
      .flatMap(({ moved }) => moved.filter(({ reason }) => reason === 'DISPUTE_SETTLEMENT'))
      .reduce((cents, { type, amount }) => cents + (type === 'DEBIT' ? 1 : -1) * centsOf(amount), 0);
  refundsOf = ({ id }: Capture): Refund[] => Object.values(this.kept.refund).filter(({ capture }) => capture === id);
}
