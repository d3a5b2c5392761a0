/** The platform's own names for the events of payment processors, and the lists of events that it handles. */

/** The stored part of an event: ids and amounts. */
export interface StoredEvent {
  eventId: string;
  type: string;
  intentId: string | null;
  amountCents: number;
  currency: string | null;
  reference: Record<string, string>;
  failureCode: string | null;
  /** When the money was captured, in ISO 8601; null or absent: unknown. */
  capturedAt?: string | null;
  /** The provider's id of the dispute. */
  disputeId?: string | null;
  /**
   * Whether the event was signed with a secret of a disabled processor. It is applied only after the provider confirms
   * it.
   */
  isDoubted?: boolean;
}

/** Events about refunds. The last two report a change of an earlier refund. */
export const REFUND_EVENTS: ReadonlySet<string> = new Set([
  'charge.refunded',
  'refund.failed',
  'charge.refund.updated',
]);

/** Events about disputes. */
export const DISPUTE_EVENTS: ReadonlySet<string> = new Set([
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]);

/** Event: the payer has approved a hosted page. The money is captured only when the page's workflow checks the page. */
export const PAGE_APPROVED = 'page.approved';

/** Events that the provider may be asked to confirm. */
export const CONFIRMABLE_EVENTS: ReadonlySet<string> = new Set([...REFUND_EVENTS, ...DISPUTE_EVENTS]);

/** Events that this platform applies. All others are acknowledged and dropped. */
export const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  PAGE_APPROVED,
  ...CONFIRMABLE_EVENTS,
]);
