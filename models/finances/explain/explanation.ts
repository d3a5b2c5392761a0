/** Explanations of amounts: every change that led to the amount, oldest first. */

/** The person who caused an entry; null: the platform's schedule or a provider did. */
export interface ExplainedActor {
  id: string;
  name: string;
}

/** Identifies the row that an entry comes from, so that an administrator can look it up. */
export interface Cause<Kind extends string> {
  kind: Kind;
  /** Id of the row: line, discount, payment, refund, credit entry or invoice. */
  id: string;
  /** Workflow id of the process that wrote the entry; null: a request did. */
  process: string | null;
  /** The provider's id of the charge or refund. */
  gateway_object: string | null;
  /** Id of the processor's webhook event that reported the charge or refund. */
  gateway_event: string | null;
}

export interface ExplainedEntry<Kind extends string> {
  /** The full amount of the payment, line or other event, even if only a part of it changes the balance. */
  amount_cents: number | null;
  /** The change of the balance; all effects add up to the balance. */
  effect_cents: number | null;
  running_balance_cents: number | null;
  at: string;
  /** For a payment outside of any processor: the date on which it was received, YYYY-MM-DD. */
  received_on: string | null;
  reason: string | null;
  actor: ExplainedActor | null;
  cause: Cause<Kind>;
}

export interface Explanation<Kind extends string> {
  currency: string;
  /** The balance after the last entry. */
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
