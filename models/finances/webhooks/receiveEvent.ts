import { applyProcessorEvent, hostedPage } from '../../../workflows/contracts/index.js';
import { LOOK } from '../../../workflows/contracts/hostedPage.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { applyEvent } from './applyEvent.js';
import { ASKED_EVENTS, PAGE_APPROVED, type StoredEvent } from './handledEvents.js';

interface Signer {
  id: string;
  isDisabled: boolean;
}

/**
 * Keeps a verified event once, one that is handled, and applies it or hands it to its process. Runs inside the processor's
 * tenant. What names another processor is not ours to keep: two tenants may share an account of the provider, and hear one
 * another's events.
 * @returns false for an event that a disabled processor has no business with: its secrets may be anybody's by now
 */
export async function receiveEvent(by: Signer, event: StoredEvent): Promise<boolean> {
  const processorId = await addressee(by, event);
  if (processorId === null) return true;
  if (by.isDisabled) return receiveDoubted(processorId, event);
  await keep(processorId, event);
  return true;
}

/** What a disabled processor reports is a reason to ask the provider, and nothing else. */
async function receiveDoubted(processorId: string, event: StoredEvent): Promise<boolean> {
  const known = await knownCharge(processorId, event);
  if (!known) return false;
  if (ASKED_EVENTS.has(event.type)) {
    const doubted = { ...event, isDoubted: true };
    if (!(await joinWaiting(processorId, doubted))) await keep(processorId, doubted);
  } else if (known.pageId) {
    // The process of a remittance asks by itself until it knows.
    await enqueue(hostedPage, { attemptId: known.pageId }, { signal: LOOK });
  }
  return true;
}

/** SQL: whether processor `n` made the charge `$2`, or the attempt `$3` that it is said to be of. */
const MADE_IT = `(EXISTS (SELECT FROM processor_captures c WHERE c.organization_id = n.organization_id AND c.processor_id = n.id AND c.intent_id = $2)
  OR EXISTS (SELECT FROM payment_attempts a WHERE a.organization_id = n.organization_id AND a.processor_id = n.id
                AND (a.intent_id = $2 OR a.id::text = $3)))`;

/**
 * The processor that an event is for: the one that its charge names, if that is this one, or of the same account here, or
 * made the charge where nobody knows whose account it is. A refund's own event names none: then the one that made the charge.
 * @returns null when it is another organization's, or another account's
 */
async function addressee(by: Signer, { reference, intentId }: StoredEvent): Promise<string | null> {
  const named = reference['processor_id']?.toLowerCase();
  if (named === by.id) return by.id;
  const sibling = await firstRow<{ id: string; same_account: boolean | null; made_it: boolean }>(
    `SELECT * FROM (
       SELECT n.id, (n.gateway_account_id, n.gateway_livemode) = (p.gateway_account_id, p.gateway_livemode) OR n.id = p.id AS same_account,
              ${MADE_IT} AS made_it
         FROM org_payment_processors p
         JOIN org_payment_processors n ON n.organization_id = p.organization_id AND n.provider = p.provider
        WHERE p.id = $1 AND ($4::text IS NULL OR n.id::text = $4)
          -- with a secret that may be anybody's, nobody speaks for an active processor
          AND (p.disabled_at IS NULL OR n.disabled_at IS NOT NULL)) siblings
      WHERE same_account IS DISTINCT FROM false
      ORDER BY made_it DESC, id = $1 DESC LIMIT 1`,
    [by.id, intentId, reference['attempt_id'] ?? null, named ?? null],
  );
  if (named !== undefined && !sibling) return null;
  if (sibling && (sibling.made_it || (named !== undefined && sibling.same_account))) return sibling.id;
  return by.id;
}

/** A charge that took money or is under way; nothing else counts. @returns null for every other */
async function knownCharge(
  processorId: string,
  { intentId, reference }: StoredEvent,
): Promise<{ pageId: string | null } | null> {
  return firstRow<{ pageId: string | null }>(
    `SELECT "pageId" FROM (
       SELECT 1 AS rank, NULL::uuid AS "pageId" FROM processor_captures WHERE processor_id = $1 AND intent_id = $2
       UNION ALL
       SELECT 2, CASE WHEN invoice_id IS NOT NULL THEN id END FROM payment_attempts
        WHERE processor_id = $1 AND (status = 'pending' OR (checkout_keys > 0 AND checkout_closed_at IS NULL)) AND (intent_id = $2 OR (
          -- a hosted page opens its charge only when it is paid on
          intent_id IS NULL AND id::text = $3 AND coalesce(invoice_id, remittance_id)::text = $4))) known
      ORDER BY rank LIMIT 1`,
    [
      processorId,
      intentId,
      reference['attempt_id'] ?? null,
      reference['invoice_id'] ?? reference['remittance_id'] ?? null,
    ],
  );
}

/** One such event of a charge waits at a time, however many are made up: the provider is asked after the last of them. */
async function joinWaiting(processorId: string, { intentId, type }: StoredEvent): Promise<boolean> {
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
  if (!(await applyAtOnce(stored.id, processorId, event)))
    await enqueue(applyProcessorEvent, { webhookEventId: stored.id });
}

/**
 * That a remittance's own charge took money is what its process is finding out at the same moment, and an approved page is looked at by
 * its own: another process for that would cost as much as the payment. It is applied with its receipt; with whatever is in the way, a
 * process takes its time.
 * @returns whether it is applied
 */
async function applyAtOnce(webhookEventId: string, processorId: string, event: StoredEvent): Promise<boolean> {
  const isOwn = event.type === 'payment_intent.succeeded' && (await isOfRemittance(processorId, event.intentId));
  if (!isOwn && event.type !== PAGE_APPROVED) return false;
  await rows('SAVEPOINT applying');
  try {
    await applyEvent(webhookEventId, null);
    // What a rule refuses at the commit would take the event with it.
    await rows('SET CONSTRAINTS ALL IMMEDIATE');
    return true;
  } catch {
    await rows('ROLLBACK TO SAVEPOINT applying');
    return false;
  }
}

const isOfRemittance = async (processorId: string, intentId: string | null): Promise<boolean> =>
  (await firstRow(
    'SELECT FROM payment_attempts WHERE processor_id = $1 AND intent_id = $2 AND remittance_id IS NOT NULL',
    [processorId, intentId],
  )) !== null;

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
