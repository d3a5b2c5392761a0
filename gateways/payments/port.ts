/** The payment port: what the platform needs of a card processor. Each provider has one adapter. */

/**
 * The credentials of an organization's account at a provider: its secret, and other fields that the provider needs.
 * Never logged.
 */
export interface Credentials {
  readonly secret_key: string;
  readonly [name: string]: string;
}

export interface ProcessorAccess {
  provider: string;
  credentials: Credentials;
}

/**
 * Our ids for a charge, for example the id of the attempt. We send them to the provider, which returns them in its
 * events. Contains nothing but ids.
 */
export type ChargeReference = Record<string, string>;

/**
 * captured: money was taken, at a time that the provider may report. declined: this card was refused, another may be tried. waiting: the charge is not
 * confirmed yet. processing: the provider does not know the outcome yet. cancelled: it can never be captured.
 */
export type ChargeState =
  | { status: 'captured'; intentId: string; capturedCents: number; capturedAt: Date | null }
  | { status: 'declined'; intentId: string; failureCode: string; failureMessage: string }
  | { status: 'waiting' | 'processing' | 'cancelled'; intentId: string };

/** A verified event, reduced to the fields that are used. */
export interface ProcessorEvent {
  id: string;
  type: string;
  intentId: string | null;
  /**
   * Amount of the event in cents. Its meaning depends on the type of the event: the received amount, the failed amount,
   * or the total of all refunds. For the event of a single refund, it is the amount of that refund.
   */
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string | null;
  reference: ChargeReference;
  failureCode: string | null;
  /** Only for the event of a capture: the time when the money was captured, in ISO 8601. */
  capturedAt?: string | null;
  /** The provider's id of the dispute, for an event about one. */
  disputeId?: string | null;
}

/**
 * The account of a key: the provider's id, and whether its money is real. Test data and real money never share an
 * account.
 */
export interface GatewayAccount {
  accountId: string;
  livemode: boolean;
}

/**
 * refunded: the money is returned to the payer. pending: the provider does not know yet. failed: the money stays in the
 * account.
 */
export interface RefundState {
  status: 'refunded' | 'pending' | 'failed';
  /** The provider's id of the refund. */
  gatewayRefundId: string;
  failureCode: string | null;
}

/** A period that includes both ends. */
export interface Period {
  from: Date;
  to: Date;
}

/** A refund of a charge, requested by us or in the provider's dashboard. */
export interface ChargeRefund extends RefundState {
  amountCents: number;
  /** The id of our refund; null if we did not request it. */
  refundId: string | null;
}

/**
 * A movement of money into or out of an account, whether we caused it or not. captured: a charge. refunded: money
 * returned to a payer. refund_failed: a refund that came back. disputed: money that a bank withdrew or returned.
 * payout: money paid to the organization's bank account. other: anything else.
 */
export interface Movement {
  /** The provider's id of the movement. No two movements of a list have the same id. */
  movementId: string;
  kind: 'captured' | 'refunded' | 'refund_failed' | 'disputed' | 'payout' | 'other';
  /** Cents before the fee; negative if they leave the account. */
  amountCents: number;
  /** The provider's fee in cents; negative if a fee is returned. */
  feeCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  at: Date;
  /** The charge, as `openCharge` or a hosted page returned it; null: the movement belongs to no charge. */
  intentId: string | null;
  /** The refund, as `refundCharge` returned it; null: the movement belongs to no refund. */
  gatewayRefundId: string | null;
  /** Our ids on the charge or the refund of the movement. */
  reference: ChargeReference;
}

export interface MovementPage {
  movements: Movement[];
  /** The cursor of the next page; null: this is the last page. */
  next: string | null;
}

/** A movement of a dispute. A returned fee is negative. */
export interface DisputeMovement {
  kind: 'withdrawn' | 'reinstated' | 'fee';
  /** Cents. */
  amountCents: number;
  /** The provider's id of the movement. An amount and the fee for it may have the same id. */
  movementId: string;
  at: Date;
}

/** A chargeback: the payer claims the money back through the bank. */
export interface ChargeDispute {
  gatewayDisputeId: string;
  /** Our ids on the charge. */
  reference: ChargeReference;
  amountCents: number;
  currency: string;
  /** The reason in the provider's words. */
  reason: string;
  /** The bank's decision; `won` also for an inquiry that was closed. */
  decision: 'none' | 'won' | 'lost';
  /** The deadline for evidence; null: no evidence is requested any more. */
  evidenceDueAt: Date | null;
  openedAt: Date;
  /** All movements so far; empty if the provider reports only the withheld amount. */
  movements: DisputeMovement[];
  /** The withheld cents, and since when they are withheld. Set for a provider that lists no movements of disputes. */
  held?: { cents: number; since: Date };
}

export interface HostedPayment {
  sessionId: string;
  /** Address of the page; null if the page cannot be paid any more. */
  url: string | null;
  expiresAt: Date;
}

/**
 * open: the page can be paid. paid: money was captured. processing: somebody has paid, and the provider does not know
 * the outcome yet. closed: it was not paid, and cannot be paid any more.
 */
export type HostedState =
  | { status: 'open' | 'closed' }
  | {
      status: 'paid';
      intentId: string;
      capturedCents: number;
      capturedAt: Date | null;
      currency: string | null;
      /** The card, if the page was opened with `keepsCard`: a token that `openCharge` can charge later. A secret. */
      keptCard: string | null;
    }
  | { status: 'processing'; intentId: string };

export interface OpenChargeRequest {
  amountCents: number;
  currency: string;
  reference: ChargeReference;
  /** The provider's token of the card; some providers use it only when the charge is confirmed. */
  paymentMethod: string;
  /**
   * Whether `paymentMethod` is a kept card. Its holder is absent: if the bank requires the holder, the charge is
   * declined with `authentication_required`. If the provider has no such card any more, it is declined with `card_gone`.
   */
  isKept?: boolean;
  idempotencyKey: string;
  /**
   * The time of an earlier request whose response may be lost; null if there was none. If it is set, the provider is
   * searched for the charge before a new request is sent.
   */
  askedAt: Date | null;
}

/** The result of opening a charge. A provider that authorizes the card at this step may decline it. */
export type OpenChargeResult =
  | { status: 'opened'; intentId: string }
  | { status: 'declined'; failureCode: string; failureMessage: string };

/** The failure of a kept card that the provider has deleted, at our request or at the payer's. */
export const CARD_GONE = { failureCode: 'card_gone', failureMessage: 'The provider no longer has this card.' };

/** A captured charge that was found by its marks. */
export interface FoundCharge {
  intentId: string;
  capturedCents: number;
  capturedAt: Date | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** All our ids on the charge. */
  reference: ChargeReference;
}

export interface PaymentPort {
  /**
   * Returns the account of the key.
   * @throws CredentialsRefused if the key is invalid or may not read it
   */
  readAccount(): Promise<GatewayAccount>;
  /** Opens a charge that takes no money before it is confirmed. Some providers authorize the money at this step. */
  openCharge(opening: OpenChargeRequest): Promise<OpenChargeResult>;
  /**
   * Makes sure that a charge authorizes no money, now or later, although the response to its opening got lost.
   * @returns null if no charge was opened
   */
  closeOpening(opening: OpenChargeRequest): Promise<ChargeState | null>;
  /** Captures the money, or returns why it was not captured. */
  confirmCharge(charge: {
    intentId: string;
    paymentMethod: string;
    /** The value with which the charge was opened. */
    isKept?: boolean;
    idempotencyKey: string;
  }): Promise<ChargeState>;
  readCharge(intentId: string): Promise<ChargeState>;
  /**
   * Finds a charge by our ids on it. It must be captured, and opened within the period. Money that was returned counts.
   * A provider may find a charge of the last minutes only under its attempt's id: the same idempotency key protects
   * against a second charge until then.
   * @returns null if there is none; the newest one if there are several
   * @throws ChargeRefused if the provider cannot search for charges
   */
  findCharge(reference: ChargeReference, opened: Period): Promise<FoundCharge | null>;
  /**
   * Makes the provider delete a kept card. Repeating it changes nothing.
   * @throws ChargeRefused if the provider keeps no cards
   */
  forgetCard(keptCard: string): Promise<void>;
  /**
   * Makes sure that the charge can never be captured.
   * @returns state `captured` if the money was captured before the cancellation
   */
  cancelCharge(intentId: string): Promise<ChargeState>;
  /** Refunds a part of a charge, marked with our id. */
  refundCharge(refund: {
    intentId: string;
    amountCents: number;
    /** The id of our refund row, by which `readRefunds` finds it. */
    refundId: string;
    reference: ChargeReference;
    idempotencyKey: string;
  }): Promise<RefundState>;
  /**
   * Returns all refunds of a charge.
   * @throws ChargeRefused if the account has no such charge
   */
  readRefunds(intentId: string): Promise<ChargeRefund[]>;
  /**
   * Returns a page of the movements of a period. Each movement is on exactly one page; the same cursor returns the same
   * page again.
   * @param after `next` of the previous page; null: the first page
   */
  listMovements(period: Period, after: string | null): Promise<MovementPage>;
  /**
   * Returns disputes of a charge with their movements.
   * @param disputeId the only dispute to read, needed for a provider that cannot list the disputes of a charge; null:
   * all disputes
   */
  readDisputes(intentId: string, disputeId: string | null): Promise<ChargeDispute[]>;
  /** Opens a hosted page of the provider, on which the payer enters a card. */
  openHostedPayment(payment: {
    amountCents: number;
    currency: string;
    description: string;
    reference: ChargeReference;
    idempotencyKey: string;
    /**
     * The addresses to which the payer returns after paying (`doneUrl`) and after giving up (`cancelUrl`). Each may
     * have a query.
     */
    doneUrl: string;
    cancelUrl: string;
    /**
     * Whether the provider keeps the card for later charges, to which the payer agrees on the page. Requires the
     * capability `recurring`.
     */
    keepsCard?: boolean;
  }): Promise<HostedPayment>;
  /**
   * Returns the pages that were opened under this reference in a period, newest first. Includes pages for which our
   * request got no response.
   */
  findHostedPayments(reference: ChargeReference, opened: Period): Promise<HostedPayment[]>;
  readHostedPayment(sessionId: string): Promise<HostedState>;
  /**
   * Makes sure that the page cannot be paid any more.
   * @returns `paid` or `processing` if somebody has paid before; `open` if the provider cannot close pages. Such a page
   * expires later, and until then each call voids what was authorized on it
   */
  expireHostedPayment(sessionId: string): Promise<HostedState>;
}

/** Thrown if the provider refused the request: nothing happened, and a retry is useless. */
export class ChargeRefused extends Error {
  override readonly name: string = 'ChargeRefused';
  constructor(
    readonly failureCode: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The provider refuses the key: it is revoked, wrong, or lacks a permission. This gives no information about earlier
 * requests of the charge, so it must not be treated as a decline.
 */
export class CredentialsRefused extends ChargeRefused {
  override readonly name = 'CredentialsRefused';
  /** @param field the credential that is refused */
  constructor(
    message: string,
    readonly field = 'secret_key',
  ) {
    super('processor_credentials', message);
  }
}

/** Reports whether the provider refused the request itself, not only the key. */
export const isRefusal = (error: unknown): error is ChargeRefused =>
  error instanceof ChargeRefused && !(error instanceof CredentialsRefused);

/** Thrown if the outcome of a request is unknown. It must be looked up, and not be treated as a decline. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown for an event with an invalid signature, time or body. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
