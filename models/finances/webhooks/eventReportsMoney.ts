import { currentOrganization, firstRow } from '../../database/rows.js';
import { ASKED_EVENTS, DISPUTE_EVENTS } from './handledEvents.js';

/** Whether a stored event reports money that has moved already, to us or back. */
export async function eventReportsMoney(webhookEventId: string): Promise<'yes' | 'no' | 'unknown'> {
  const event = await firstRow<{ type: string; outcome: string | null; doubted: boolean }>(
    `SELECT type, outcome, coalesce((payload->>'isDoubted')::boolean, false) AS doubted FROM webhook_events WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), webhookEventId],
  );
  if (!event) return 'unknown';
  if (event.type === 'payment_intent.succeeded') return 'yes';
  if (!ASKED_EVENTS.has(event.type)) return 'no';
  // What a disabled processor says, or what a dispute took, is not known before the provider was asked.
  if (event.doubted || DISPUTE_EVENTS.has(event.type))
    return event.outcome === null ? 'unknown' : event.outcome === 'applied' ? 'yes' : 'no';
  return 'yes';
}
