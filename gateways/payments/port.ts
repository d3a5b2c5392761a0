/** What the platform asks of a card processor, in our words. Each provider is one adapter behind it. */

/** What opens one organization's account at a provider: its secret, and whatever else that provider wants. Never logged. */
export interface Credentials {
  readonly secret_key: string;
  readonly [name: string]: string;
}

export interface ProcessorAccess {
  provider: string;
  credentials: Credentials;
}

/** Names what a charge is for; comes back in its events. Ids only. */
export type ChargeReference = Record<string, string>;

/**
 * captured: money was taken. declined: this card was refused, another may be tried.
 * waiting: nobody has confirmed it yet. processing: the provider does not know yet. cancelled: it can never capture.
 */
export type ChargeState =
  | { status: 'captured'; intentId: string; capturedCents: number }
  | { status: 'declined'; intentId: string; failureCode: string; failureMessage: string }
  | { status: 'waiting' | 'processing' | 'cancelled'; intentId: string };

/** An event whose signature was verified, reduced to what we use. */
export interface ProcessorEvent {
  id: string;
  type: string;
  intentId: string | null;
  /** Cents received, failed or refunded so far, by the event's type; of a refund's own event, its cents. */
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string | null;
  reference: ChargeReference;
  failureCode: string | null;
  /** The provider's id of the dispute that it tells of. */
  disputeId?: string | null;
}

/** Whose money a key moves: the provider's own id of the account. Test data and real money never meet in one. */
export interface GatewayAccount {
  accountId: string;
  livemode: boolean;
}

/** refunded: the money goes back. pending: the provider does not know yet. failed: it stays where it is. */
export interface RefundState {
  status: 'refunded' | 'pending' | 'failed';
  /** The provider's id of the refund. */
  gatewayRefundId: string;
  failureCode: string | null;
}

/** Both ends count. */
export interface Period {
  from: Date;
  to: Date;
}

/** One of the refunds of a charge, whoever asked for it. */
export interface ChargeRefund extends RefundState {
  amountCents: number;
  /** The id of ours that it was marked with. */
  refundId: string | null;
}

/**
 * Money that came to an account or left it, by whoever's hand. captured: a charge took it. refunded: it goes back. refund_failed: it is
 * here again. disputed: a bank took it back or returned it. payout: it went to the organization's own bank. other: anything else.
 */
export interface Movement {
  /** The provider's id of it: no other movement has it, on whichever page it is told. */
  movementId: string;
  kind: 'captured' | 'refunded' | 'refund_failed' | 'disputed' | 'payout' | 'other';
  /** Cents before the fee; below zero where they leave the account. */
  amountCents: number;
  /** Cents that the provider keeps for it; below zero where it returns a fee. */
  feeCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  at: Date;
  /** Of the charge that it is of, as `openCharge` or a hosted page gave it; null: it is of none. */
  intentId: string | null;
  /** Of a refund, as `refundCharge` gave it. */
  gatewayRefundId: string | null;
  /** What its charge or refund was marked with. */
  reference: ChargeReference;
}

export interface MovementPage {
  movements: Movement[];
  /** What the next page is asked for with; null: this was the last one. */
  next: string | null;
}

/** Money that moved for a dispute. Of a fee below zero where it was given back. */
export interface DisputeMovement {
  kind: 'withdrawn' | 'reinstated' | 'fee';
  /** Cents. */
  amountCents: number;
  /** The provider's id of the movement; money and its fee may be one. */
  movementId: string;
  at: Date;
}

/** A charge whose payer wants the money back from the bank. */
export interface ChargeDispute {
  gatewayDisputeId: string;
  /** Of the charge. */
  reference: ChargeReference;
  amountCents: number;
  currency: string;
  /** As the provider calls it. */
  reason: string;
  /** What the bank decided; `won` also where it was only an inquiry. */
  decision: 'none' | 'won' | 'lost';
  /** Until when evidence counts; null: none is asked for any more. */
  evidenceDueAt: Date | null;
  openedAt: Date;
  /** All of them so far; none where the provider says only what it holds by now. */
  movements: DisputeMovement[];
  /** What a provider without movements holds: cents, and since when it may be so. */
  held?: { cents: number; since: Date };
}

export interface HostedPayment {
  sessionId: string;
  /** null once nobody can pay on it any more. */
  url: string | null;
  expiresAt: Date;
}

/**
 * open: somebody may pay on it. paid: money was taken. processing: somebody has paid, and the provider does not know yet
 * whether money comes of it. closed: nobody paid on it, and nobody ever can.
 */
export type HostedState =
  | { status: 'open' | 'closed' }
  | { status: 'paid'; intentId: string; capturedCents: number; currency: string | null }
  | { status: 'processing'; intentId: string };

/** What a charge is opened with. */
export interface Opening {
  amountCents: number;
  currency: string;
  reference: ChargeReference;
  /** The provider's token; some providers look at it only when the charge is confirmed. */
  paymentMethod: string;
  idempotencyKey: string;
  /** Since when an answer may have got lost: then it is looked for, before it is asked for again. null: never asked for. */
  askedAt: Date | null;
}

/** What came of opening a charge: where that holds money already, the card may be refused with it. */
export type Opened =
  | { status: 'opened'; intentId: string }
  | { status: 'declined'; failureCode: string; failureMessage: string };

export interface PaymentPort {
  /** Which account the key opens. @throws CredentialsRefused when it opens none, or may not say */
  readAccount(): Promise<GatewayAccount>;
  /** Opens a charge that takes nothing until it is confirmed; at some providers it holds the money from now on. */
  openCharge(opening: Opening): Promise<Opened>;
  /** Makes sure that an opening whose answer got lost holds nothing and never will. @returns null when nothing was opened */
  closeOpening(opening: Opening): Promise<ChargeState | null>;
  /** Takes the money, or says why not. */
  confirmCharge(charge: { intentId: string; paymentMethod: string; idempotencyKey: string }): Promise<ChargeState>;
  readCharge(intentId: string): Promise<ChargeState>;
  /** Makes sure that the charge can never capture. @returns `captured` when it was too late */
  cancelCharge(intentId: string): Promise<ChargeState>;
  /** Gives back a part of what a charge took, marked with an id of ours. */
  refundCharge(refund: {
    intentId: string;
    amountCents: number;
    /** Of the row that asks for it: what it is found by in `readRefunds`. */
    refundId: string;
    reference: ChargeReference;
    idempotencyKey: string;
  }): Promise<RefundState>;
  /** All refunds of a charge. @throws ChargeRefused when the account has no such charge */
  readRefunds(intentId: string): Promise<ChargeRefund[]>;
  /**
   * A page of what moved in the account in that time, each movement once over all pages. Asked again with the same cursor it begins at the same place.
   * @param after `next` of the page before; null: the first page
   */
  listMovements(period: Period, after: string | null): Promise<MovementPage>;
  /**
   * Disputes of a charge, with the money that moved.
   * @param disputeId the one to read, for a provider that does not list them by charge; null: all
   */
  readDisputes(intentId: string, disputeId: string | null): Promise<ChargeDispute[]>;
  /** A page of the provider on which the payer enters a card. */
  openHostedPayment(payment: {
    amountCents: number;
    currency: string;
    description: string;
    reference: ChargeReference;
    idempotencyKey: string;
    returnUrl: string;
  }): Promise<HostedPayment>;
  /** Pages that were opened under this reference in that time, whoever heard of it; the newest first. */
  findHostedPayments(reference: ChargeReference, opened: Period): Promise<HostedPayment[]>;
  readHostedPayment(sessionId: string): Promise<HostedState>;
  /**
   * Makes sure that nobody can pay on the page any more.
   * @returns `paid` or `processing` when it was too late; `open` where the provider cannot close it: it ends by itself, and until then what
   *   somebody would pay is let go each time that this is asked
   */
  expireHostedPayment(sessionId: string): Promise<HostedState>;
}

/** The provider refused the request itself: nothing happened, and asking again will not help. */
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
 * The provider does not take the key: revoked, wrong, or not allowed to do this. It says nothing about what the charge
 * has done before: never read it as a decline of what may have been confirmed.
 */
export class CredentialsRefused extends ChargeRefused {
  override readonly name = 'CredentialsRefused';
  /** @param field which of the credentials it is about */
  constructor(
    message: string,
    readonly field = 'secret_key',
  ) {
    super('processor_credentials', message);
  }
}

/** Whether the provider refused the request itself, and not merely the key that it came with. */
export const isRefusal = (error: unknown): error is ChargeRefused =>
  error instanceof ChargeRefused && !(error instanceof CredentialsRefused);

/** Nobody knows what happened. Look it up; never read it as a decline. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The event's signature, age or body is not right. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
