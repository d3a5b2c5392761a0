/** Why an amount is what it is: all that ever changed it, the oldest first. */

/** Who asked for it; null: nobody, the platform's own clock or a provider did. */
export interface ExplainedActor {
  id: string;
  name: string;
}

/** Where an entry comes from, so that it can be looked up. */
export interface Cause<Kind extends string> {
  kind: Kind;
  /** The row: line, discount, payment, refund, credit entry or invoice. */
  id: string;
  /** The durable process that did it; null: a request did. */
  process: string | null;
  /** The charge or refund at the payment processor. */
  gateway_object: string | null;
  /** What the processor's event is called that told of it. */
  gateway_event: string | null;
}

export interface ExplainedEntry<Kind extends string> {
  /** How much the fact is about. */
  amount_cents: number | null;
  /** What it did to the balance: the sum of all of them is the balance. */
  effect_cents: number | null;
  running_balance_cents: number | null;
  at: string;
  /** Of money that came past any processor: the day on which it was received, YYYY-MM-DD. */
  received_on: string | null;
  reason: string | null;
  actor: ExplainedActor | null;
  cause: Cause<Kind>;
}

export interface Explanation<Kind extends string> {
  currency: string;
  /** The last running balance. */
  balance_cents: number | null;
  entries: ExplainedEntry<Kind>[];
}

/**
 * SQL of the `entries` of an explanation as JSON, over rows (kind, id, amount_cents, effect_cents, running_balance_cents, at, reason,
 * actor_id, process, gateway_object, gateway_event, position) named `explained`.
 */
export const ENTRIES_JSON = `(SELECT coalesce(json_agg(json_build_object(
    'amount_cents', e.amount_cents, 'effect_cents', e.effect_cents, 'running_balance_cents', e.running_balance_cents, 'at', e.at,
    'received_on', (SELECT p.received_on FROM payment_records p WHERE e.kind = 'payment' AND p.organization_id = (SELECT app.org_id()) AND p.id = e.id),
    'reason', e.reason,
    'actor', CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name) END,
    'cause', json_build_object('kind', e.kind, 'id', e.id, 'process', e.process, 'gateway_object', e.gateway_object,
      'gateway_event', e.gateway_event)) ORDER BY e.position), '[]')
  FROM explained e LEFT JOIN users u ON u.id = e.actor_id)`;
