import { applyProcessorEvent } from '../../../workflows/contracts/index.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';

/** What is kept of an event: ids and amounts. */
export interface StoredEvent {
  eventId: string;
  type: string;
  intentId: string | null;
  amountCents: number;
  currency: string | null;
  reference: Record<string, string>;
  failureCode: string | null;
}

/** Events that change something here; the others are answered and forgotten. */
export const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
]);

/**
 * Keeps a verified event once and hands it to its process. Runs inside the processor's tenant.
 * @returns whether it was new
 */
export async function receiveEvent(processorId: string, event: StoredEvent): Promise<boolean> {
  if (!HANDLED_EVENTS.has(event.type)) return false;
  const stored = await firstRow<{ id: string }>(
    `INSERT INTO webhook_events (organization_id, processor_id, event_id, type, payload)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT webhook_events_once DO NOTHING RETURNING id`,
    [currentOrganization(), processorId, event.eventId, event.type, JSON.stringify(event)],
  );
  if (!stored) {
    await rows('UPDATE webhook_events SET deliveries = deliveries + 1 WHERE processor_id = $1 AND event_id = $2', [
      processorId,
      event.eventId,
    ]);
    return false;
  }
  await enqueue(applyProcessorEvent, { webhookEventId: stored.id });
  return true;
}

/** The tenant and sealed signing secrets of a processor, whichever tenant it belongs to. */
export interface WebhookProcessor {
  organization_id: string;
  provider: string;
  webhook_secret_encrypted: string;
  previous_webhook_secret_encrypted: string | null;
}

export const webhookProcessor = (id: string): Promise<WebhookProcessor | null> =>
  firstRow<WebhookProcessor>('SELECT * FROM app.webhook_processor($1)', [id]);
