import { applyProcessorEvent } from '../../../workflows/contracts/index.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { requestPageLook } from '../attempts/requestPageLook.js';
import { applyEvent } from './applyEvent.js';
import { CONFIRMABLE_EVENTS, PAGE_APPROVED, type StoredEvent } from './handledEvents.js';

interface Signer {
  id: string;
  isDisabled: boolean;
}

/**
 * Stores a verified event once, and applies it or starts its workflow. Runs in the tenant of the processor. Two tenants
 * may share a provider account and receive each other's events, so an event that names a processor of another account
 * or organization is not stored.
 * @returns false if the processor is disabled, so that its secrets may have leaked, and does not have the charge of the
 * event
 */
export async function receiveEvent(signer: Signer, event: StoredEvent): Promise<boolean> {
  const processorId = await findAddressee(signer, event);
  if (processorId === null) return true;
  if (signer.isDisabled) return receiveUnconfirmed(processorId, event);
  await storeEvent(processorId, event);
  return true;
}

/**
 * Handles an event that was signed by a disabled processor. The event itself is not trusted; it only causes the
 * provider to be asked.
 */
async function receiveUnconfirmed(processorId: string, event: StoredEvent): Promise<boolean> {
  const charge = await findKnownCharge(processorId, event);
  if (!charge) return false;
  if (CONFIRMABLE_EVENTS.has(event.type)) {
    const unconfirmed = { ...event, isDoubted: true };
    if (!(await joinPendingEvent(processorId, unconfirmed))) await storeEvent(processorId, unconfirmed);
  } else if (charge.page) {
    // Make the workflow of the page ask the provider about the page. A remittance has no page, and its workflow asks by
    // itself until it knows the outcome.
    await requestPageLook(charge.page);
  }
  return true;
}

/** SQL: whether processor `n` made the charge with id `$2`, or the attempt with id `$3`. */
const MADE_CHARGE = `(EXISTS (SELECT FROM processor_captures c WHERE c.organization_id = n.organization_id AND c.processor_id = n.id AND c.intent_id = $2)
  OR EXISTS (SELECT FROM payment_attempts a WHERE a.organization_id = n.organization_id AND a.processor_id = n.id
                AND (a.intent_id = $2 OR a.id::text = $3)))`;

/**
 * Finds the processor that an event belongs to. If the charge names a processor, it must be the signer, share the
 * signer's account, or, if accounts are unknown, have made the charge. The event of a refund names no processor; it
 * belongs to the processor that made the charge.
 * @returns null when the event belongs to another organization or another account
 */
async function findAddressee(signer: Signer, { reference, intentId }: StoredEvent): Promise<string | null> {
  const namedId = reference['processor_id']?.toLowerCase();
  if (namedId === signer.id) return signer.id;
  const sibling = await firstRow<{ id: string; same_account: boolean | null; made_it: boolean }>(
    `SELECT * FROM (
       SELECT n.id, (n.gateway_account_id, n.gateway_livemode) = (p.gateway_account_id, p.gateway_livemode) OR n.id = p.id AS same_account,
              ${MADE_CHARGE} AS made_it
         FROM org_payment_processors p
         JOIN org_payment_processors n ON n.organization_id = p.organization_id AND n.provider = p.provider
        WHERE p.id = $1 AND ($4::text IS NULL OR n.id::text = $4)
          -- The secret of a disabled processor may have leaked, so its signature is not accepted for an active
          -- processor.
          AND (p.disabled_at IS NULL OR n.disabled_at IS NOT NULL)) siblings
      WHERE same_account IS DISTINCT FROM false
      ORDER BY made_it DESC, id = $1 DESC LIMIT 1`,
    [signer.id, intentId, reference['attempt_id'] ?? null, namedId ?? null],
  );
  if (namedId !== undefined && !sibling) return null;
  if (sibling && (sibling.made_it || (namedId !== undefined && sibling.same_account))) return sibling.id;
  return signer.id;
}

/**
 * Finds the charge of an event, if the charge has captured money or is pending.
 * @returns null otherwise
 */
async function findKnownCharge(
  processorId: string,
  { intentId, reference }: StoredEvent,
): Promise<{ page: { id: string; isForDonation: boolean } | null } | null> {
  return firstRow(
    `SELECT page FROM (
       SELECT 1 AS rank, NULL::jsonb AS page FROM processor_captures WHERE processor_id = $1 AND intent_id = $2
       UNION ALL
       SELECT 2, CASE WHEN has_page THEN jsonb_build_object('id', id, 'isForDonation', donation_id IS NOT NULL) END
         FROM payment_attempts
        WHERE processor_id = $1 AND (status = 'pending' OR (checkout_keys > 0 AND checkout_closed_at IS NULL)) AND (intent_id = $2 OR (
          -- The charge of a hosted page is created only when the payer pays, so the attempt may not have the id of the
          -- charge yet
          intent_id IS NULL AND id::text = $3 AND coalesce(invoice_id, remittance_id, donation_id)::text = $4))) known
      ORDER BY rank LIMIT 1`,
    [
      processorId,
      intentId,
      reference['attempt_id'] ?? null,
      reference['invoice_id'] ?? reference['remittance_id'] ?? reference['donation_id'] ?? null,
    ],
  );
}

/**
 * Counts an unconfirmed event as another delivery of a pending event of the same charge, so that many forged events
 * cause only one request to the provider. The provider is asked after the last delivery.
 * @returns false if there is no such pending event
 */
async function joinPendingEvent(processorId: string, { intentId, type }: StoredEvent): Promise<boolean> {
  const joined = await firstRow(
    `UPDATE webhook_events SET deliveries = deliveries + 1
      WHERE id = (SELECT id FROM webhook_events WHERE organization_id = $1 AND processor_id = $2 AND processed_at IS NULL
                     AND payload->>'isDoubted' = 'true' AND payload->>'intentId' = $3
                     AND (type LIKE 'charge.dispute.%') = ($4 LIKE 'charge.dispute.%') ORDER BY id LIMIT 1)
        AND processed_at IS NULL RETURNING id`,
    [currentOrganization(), processorId, intentId, type],
  );
  return joined !== null;
}

async function storeEvent(processorId: string, event: StoredEvent): Promise<void> {
  const stored = await firstRow<{ id: string }>(
    `INSERT INTO webhook_events (organization_id, processor_id, event_id, type, payload, foundation_id)
     VALUES ($1, $2, $3, $4, $5, (SELECT f.id FROM org_payment_processors p
       JOIN foundation_configs f ON f.organization_id = p.organization_id WHERE p.id = $2 AND p.purpose = 'foundation'))
     ON CONFLICT ON CONSTRAINT webhook_events_once DO NOTHING RETURNING id`,
    [currentOrganization(), processorId, event.eventId, event.type, JSON.stringify(event)],
  );
  if (!stored) {
    await rows('UPDATE webhook_events SET deliveries = deliveries + 1 WHERE processor_id = $1 AND event_id = $2', [
      processorId,
      event.eventId,
    ]);
    return;
  }
  if (!(await tryApplyNow(stored.id, processorId, event)))
    await enqueue(applyProcessorEvent, { webhookEventId: stored.id });
}

/**
 * Applies two kinds of events at once, within the request, because a workflow would repeat work: a charge without a
 * hosted page, which the workflow of its remittance or pledge is just checking, and an approved page, which the page's
 * workflow checks. On any error a workflow takes over.
 * @returns whether it is applied
 */
async function tryApplyNow(webhookEventId: string, processorId: string, event: StoredEvent): Promise<boolean> {
  const isOwn = event.type === 'payment_intent.succeeded' && (await isChargeWithoutPage(processorId, event.intentId));
  if (!isOwn && event.type !== PAGE_APPROVED) return false;
  await rows('SAVEPOINT applying');
  try {
    await applyEvent(webhookEventId, null);
    // Checks deferred constraints here, because a violation at commit would also undo the storing of the event.
    await rows('SET CONSTRAINTS ALL IMMEDIATE');
    return true;
  } catch {
    await rows('ROLLBACK TO SAVEPOINT applying');
    return false;
  }
}

const isChargeWithoutPage = async (processorId: string, intentId: string | null): Promise<boolean> =>
  (await firstRow('SELECT FROM payment_attempts WHERE processor_id = $1 AND intent_id = $2 AND checkout_keys = 0', [
    processorId,
    intentId,
  ])) !== null;

/** The tenant and the encrypted signing secrets of a processor, looked up across tenants. */
export interface WebhookProcessor {
  organization_id: string;
  provider: string;
  webhook_secret_encrypted: string;
  /** The webhook secret before the last rotation; null after it has expired. */
  previous_webhook_secret_encrypted: string | null;
  is_disabled: boolean;
}

export const findWebhookProcessor = (id: string): Promise<WebhookProcessor | null> =>
  firstRow<WebhookProcessor>('SELECT * FROM app.webhook_processor($1)', [id]);
