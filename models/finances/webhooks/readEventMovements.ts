import { currentOrganization, rows } from '../../database/rows.js';
import type { ChargeState } from '../attempts/chargeOfAttempt.js';
import { CONFIRMABLE_EVENTS, DISPUTE_EVENTS } from './handledEvents.js';

interface StoredEvent {
  id: string;
  type: string;
  outcome: string | null;
  doubted: boolean;
}

/** Reports for each stored event whether it is about money that has already moved; unknown ids are left out. */
export async function readEventMovements(
  webhookEventIds: readonly string[],
): Promise<ReadonlyMap<string, ChargeState>> {
  const events = await rows<StoredEvent>(
    `SELECT id, type, outcome, coalesce((payload->>'isDoubted')::boolean, false) AS doubted FROM webhook_events
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [currentOrganization(), webhookEventIds],
  );
  return new Map(events.map((event) => [event.id, movementOf(event)]));
}

function movementOf({ type, outcome, doubted }: StoredEvent): ChargeState {
  if (type === 'payment_intent.succeeded') return 'yes';
  if (!CONFIRMABLE_EVENTS.has(type)) return 'no';
  // An event counts only after the provider has confirmed it if it is about a dispute or was signed for a disabled
  // processor. Until then the result is unknown.
  if (doubted || DISPUTE_EVENTS.has(type)) return outcome === null ? 'unknown' : outcome === 'applied' ? 'yes' : 'no';
  return 'yes';
}
