/** A refund or dispute whose payment nobody has told of: the provider knows whether there was one. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { processorAccess } from '../attempts/processorAccess.js';
import { carryOut, closeEvent } from './applyEvent.js';
import { DISPUTE_EVENTS, type StoredEvent } from './handledEvents.js';

interface Waiting {
  processorId: string;
  event: StoredEvent;
}

/** The charge that the event names, and the account to ask. */
export async function chargeToRead(webhookEventId: string) {
  const { processorId, event } = await oneRow<Waiting>(
    'SELECT processor_id AS "processorId", payload AS event FROM webhook_events WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), webhookEventId],
  );
  const isDisputed = DISPUTE_EVENTS.has(event.type);
  return { isDisputed, intentId: event.intentId as string, access: await processorAccess(processorId) };
}

/**
 * Records what the charge took as its own event would have; one that took nothing has nothing to give back.
 * @param capturedCents as the provider says; null: it took nothing, or the account does not know it
 * @param reference marks of the charge, where the event has none
 */
export async function recordPaymentBefore(
  webhookEventId: string,
  capturedCents: number | null,
  reference?: StoredEvent['reference'],
): Promise<void> {
  const waiting = await firstRow<Waiting>(
    `SELECT processor_id AS "processorId", payload AS event FROM webhook_events
      WHERE organization_id = $1 AND id = $2 AND outcome IS NULL FOR UPDATE`,
    [currentOrganization(), webhookEventId],
  );
  if (!waiting) return;
  if (capturedCents === null) return closeEvent(webhookEventId, 'ignored');
  const event = {
    ...waiting.event,
    type: 'payment_intent.succeeded',
    amountCents: capturedCents,
    ...(reference && { reference }),
  };
  await carryOut({ processor_id: waiting.processorId, payload: event }, null);
}
