/** Events of a payment processor, in our words, and those that mean something here. */

/** What is kept of an event: ids and amounts. */
export interface StoredEvent {
  eventId: string;
  type: string;
  intentId: string | null;
  amountCents: number;
  currency: string | null;
  reference: Record<string, string>;
  failureCode: string | null;
  /** As the provider calls the dispute that it tells of. */
  disputeId?: string | null;
  /** Signed with a secret of a disabled processor: no word of it counts before the provider was asked. */
  isDoubted?: boolean;
}

/** Events that say that something has become of a refund. The last two tell of one that was made before. */
export const REFUND_EVENTS: ReadonlySet<string> = new Set([
  'charge.refunded',
  'refund.failed',
  'charge.refund.updated',
]);

/** Events that say that something has become of a dispute. */
export const DISPUTE_EVENTS: ReadonlySet<string> = new Set([
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]);

/** The payer has approved a hosted page, whose money is taken only when we look at it. */
export const PAGE_APPROVED = 'page.approved';

/** Events of which the provider itself is asked, now or when somebody else has signed them. */
export const ASKED_EVENTS: ReadonlySet<string> = new Set([...REFUND_EVENTS, ...DISPUTE_EVENTS]);

/** Events that change something here; the others are answered and forgotten. */
export const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  PAGE_APPROVED,
  ...ASKED_EVENTS,
]);
