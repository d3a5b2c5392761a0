import { currentOrganization, firstRow } from '../../database/rows.js';

/** Whether a stored event reports money that has moved already, to us or back. */
export async function eventReportsMoney(webhookEventId: string): Promise<'yes' | 'no' | 'unknown'> {
  const event = await firstRow<{ type: string }>(
    'SELECT type FROM webhook_events WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), webhookEventId],
  );
  if (!event) return 'unknown';
  return event.type === 'payment_intent.succeeded' || event.type === 'charge.refunded' ? 'yes' : 'no';
}
