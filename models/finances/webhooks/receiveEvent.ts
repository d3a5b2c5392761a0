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
 * Keeps a verified event once and hands it to its process. Runs inside the processor's tenant. What names another
 * processor is not ours to keep: two tenants may share an account of the provider, and hear one another's events.
 * @returns false for an event that a disabled processor has no business with: its secrets may be anybody's by now
 */
export async function receiveEvent(by: { id: string; isDisabled: boolean }, event: StoredEvent): Promise<boolean> {
  const processorId = await addressee(by, event);
  if (processorId === null) return true;
  if (by.isDisabled) {
    const known = await knownCharge(processorId, event);
    if (known === 'captured' && event.type !== 'charge.refunded') return true;
    if (known === 'unknown') return false;
  }
  if (HANDLED_EVENTS.has(event.type)) await keep(processorId, event);
  return true;
}

/** The processor that an event is for: the one that its charge names, if that is this one, or of the same account here. */
async function addressee(by: { id: string; isDisabled: boolean }, event: StoredEvent): Promise<string | null> {
  const named = event.reference['processor_id']?.toLowerCase();
  if (named === undefined || named === by.id) return by.id;
  if (by.isDisabled) return null;
  const sibling = await firstRow<{ id: string }>(
    `SELECT n.id FROM org_payment_processors p
       JOIN org_payment_processors n ON n.organization_id = p.organization_id
        AND (n.provider, n.gateway_account_id, n.gateway_livemode) = (p.provider, p.gateway_account_id, p.gateway_livemode)
      WHERE p.id = $1 AND n.id::text = $2`,
    [by.id, named],
  );
  return sibling?.id ?? null;
}

/** What we know of the charge that an event is about: that it is under way, or that it took money; nothing else counts. */
async function knownCharge(
  processorId: string,
  { intentId, reference }: StoredEvent,
): Promise<'under_way' | 'captured' | 'unknown'> {
  const known = await firstRow<{ captured: boolean }>(
    `SELECT true AS captured FROM processor_captures WHERE processor_id = $1 AND intent_id = $2
     UNION ALL
     SELECT false FROM payment_attempts WHERE processor_id = $1 AND status = 'pending' AND (intent_id = $2 OR (
       -- a hosted page opens its charge only when it is paid on
       intent_id IS NULL AND id::text = $3 AND coalesce(invoice_id, remittance_id)::text = $4))
     ORDER BY captured DESC LIMIT 1`,
    [processorId, intentId, reference['attempt_id'], reference['invoice_id'] ?? reference['remittance_id']],
  );
  if (!known) return 'unknown';
  return known.captured ? 'captured' : 'under_way';
}

async function keep(processorId: string, event: StoredEvent): Promise<void> {
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
    return;
  }
  await enqueue(applyProcessorEvent, { webhookEventId: stored.id });
}

/** The tenant and sealed signing secrets of a processor, whichever tenant it belongs to. */
export interface WebhookProcessor {
  organization_id: string;
  provider: string;
  webhook_secret_encrypted: string;
  /** While it is valid. */
  previous_webhook_secret_encrypted: string | null;
  is_disabled: boolean;
}

export const webhookProcessor = (id: string): Promise<WebhookProcessor | null> =>
  firstRow<WebhookProcessor>('SELECT * FROM app.webhook_processor($1)', [id]);
