import { currentOrganization, firstRow } from '../../database/rows.js';
import { CONFIRMABLE_EVENTS, DISPUTE_EVENTS } from './handledEvents.js';

/** Reports whether a stored event is about money that has already moved. */
export async function eventReportsMoney(webhookEventId: string): Promise<'yes' | 'no' | 'unknown'> {
  const event = await firstRow<{ type: string; outcome: string | null; doubted: boolean }>(
    `SELECT type, outcome, coalesce((payload->>'isDoubted')::boolean, false) AS doubted FROM webhook_events WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), webhookEventId],
  );
  if (!event) return 'unknown';
  if (event.type === 'payment_intent.succeeded') return 'yes';
  if (!CONFIRMABLE_EVENTS.has(event.type)) return 'no';
  // An event counts only after the provider has confirmed it if it is about a dispute or was signed for a disabled
  // processor. Until then the result is unknown.
  if (event.doubted || DISPUTE_EVENTS.has(event.type))
    return event.outcome === null ? 'unknown' : event.outcome === 'applied' ? 'yes' : 'no';
  return 'yes';
}
