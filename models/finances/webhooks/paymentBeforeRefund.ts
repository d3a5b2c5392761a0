/**
 * Handles a refund or dispute event whose payment was never reported by an event. The provider is asked whether the
 * payment exists.
 */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { loadProcessorAccess } from '../attempts/processorAccess.js';
import { executeEvent, closeEvent } from './applyEvent.js';
import { DISPUTE_EVENTS, type StoredEvent } from './handledEvents.js';

interface UnappliedEvent {
  processorId: string;
  event: StoredEvent;
}

/** Returns the charge that the event names, and the access to the provider account that knows it. */
export async function readUnreportedCharge(webhookEventId: string) {
  const { processorId, event } = await oneRow<UnappliedEvent>(
    'SELECT processor_id AS "processorId", payload AS event FROM webhook_events WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), webhookEventId],
  );
  const isDisputed = DISPUTE_EVENTS.has(event.type);
  return { isDisputed, intentId: event.intentId as string, access: await loadProcessorAccess(processorId) };
}

/**
 * Records the captured amount of a charge, as the missing payment event would have done. A charge that captured nothing
 * has nothing to refund.
 * @param captured the provider's answer; null: nothing was captured, or the account does not know the charge
 * @param reference the charge's metadata, used if the event has none
 */
export async function recordUnreportedPayment(
  webhookEventId: string,
  captured: { capturedCents: number; capturedAt: Date | null } | null,
  reference?: StoredEvent['reference'],
): Promise<void> {
  const unapplied = await firstRow<UnappliedEvent>(
    `SELECT processor_id AS "processorId", payload AS event FROM webhook_events
      WHERE organization_id = $1 AND id = $2 AND outcome IS NULL FOR UPDATE`,
    [currentOrganization(), webhookEventId],
  );
  if (!unapplied) return;
  if (captured === null) return closeEvent(webhookEventId, 'ignored');
  const event = {
    ...unapplied.event,
    type: 'payment_intent.succeeded',
    amountCents: captured.capturedCents,
    capturedAt: captured.capturedAt?.toISOString() ?? null,
    ...(reference && { reference }),
  };
  await executeEvent({ processor_id: unapplied.processorId, payload: event }, null);
}
