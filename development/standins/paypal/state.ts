/** State of the PayPal stand-in by account. */
import { createHash, randomBytes } from 'node:crypto';
import { type CommonState, type WebhookEndpoint, StoredState, type Movement } from '../kit/storedState.js';

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
  /**
   * Payment source: a vault token from the request, or the payer's choice on the page. Null until the payer has chosen.
   */
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
  /** The dispute that this refund ended. */
  dispute?: string;
}

export interface Dispute extends Owned {
  capture: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'RESOLVED';
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | null;
  amount: Money;
  /** Movements of the seller's money. */
  moved: { type: 'DEBIT' | 'CREDIT'; reason: string; amount: Money; initiated_time: string }[];
  update_time: string;
}

export interface Endpoint extends WebhookEndpoint {
  webhook_id: string;
}

interface StateData extends CommonState<Endpoint> {
  order: Record<string, Order>;
  authorization: Record<string, Authorization>;
  capture: Record<string, Capture>;
  refund: Record<string, Refund>;
  dispute: Record<string, Dispute>;
  event: Record<string, { account: string; event: Fields }>;
  /** Ids of created objects, by account, operation and idempotency key. */
  made: Record<string, string>;
  tokens: Record<string, string>;
}

const empty = (): StateData => ({
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

/** Derives the account from a client id and its secret. */
export const accountOf = (clientId: string, secret: string): string =>
  createHash('sha256').update(`${clientId}:${secret}`).digest('hex').slice(0, 13).toUpperCase();

export const centsOf = ({ value }: Money): number => Math.round(Number(value) * 100);

export class State extends StoredState<StateData> {
  /** @param dataDir folder for the state, so that it survives a restart */
  constructor(dataDir?: string) {
    super(empty, 'paypal', dataDir);
  }

  moved(kind: Movement['kind'], payment: string, money: Money): void {
    this.note(kind, payment, centsOf(money));
  }

  capturesOf = ({ id }: Order): Capture[] => Object.values(this.kept.capture).filter(({ order }) => order === id);
  /** Returns the refund that ended a dispute. */
  endOf = ({ id }: Dispute): Refund | undefined =>
    Object.values(this.kept.refund).find(({ dispute }) => dispute === id);
  /**
   * Returns the cents of a capture that disputes currently withhold. Claims that have ended are not included, because
   * they count as refunds.
   */
  disputedCentsOf = ({ id }: Capture): number =>
    Object.values(this.kept.dispute)
      .filter((dispute) => dispute.capture === id && !this.endOf(dispute))
      .flatMap(({ moved }) => moved.filter(({ reason }) => reason === 'DISPUTE_SETTLEMENT'))
      .reduce((cents, { type, amount }) => cents + (type === 'DEBIT' ? 1 : -1) * centsOf(amount), 0);
  refundsOf = ({ id }: Capture): Refund[] => Object.values(this.kept.refund).filter(({ capture }) => capture === id);
}
