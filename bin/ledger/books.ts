/** The platform's side of the comparison: captures and attempts, read as the owner role. */
import type { Client } from 'pg';

export interface Capture {
  organization_id: string;
  processor_id: string;
  intent_id: string;
  amount_cents: number;
  refunded_cents: number;
}

/** Result of a comparison with a gateway. */
export interface Comparison {
  /** The gateway or account that was compared. */
  name: string;
  examined: number;
  /**
   * Number of charges that are not judged yet: their attempt has not ended, or they belong to no attempt and were
   * captured a moment ago.
   */
  inFlight: number;
  violations: Record<string, unknown>[];
}

/**
 * How long the event of a charge that belongs to none of our attempts may take to arrive. After that, the charge's
 * money counts as missing.
 */
export const GRACE_MS = 60_000;

/** Captures by charge id. */
export async function capturesOf(client: Client, intentIds: string[]): Promise<Map<string, Capture>> {
  const { rows } = await client.query<Capture>(
    `SELECT organization_id, processor_id, intent_id, amount_cents::float8, (refunded_cents - disputed_cents)::float8 AS refunded_cents
       FROM processor_captures WHERE intent_id = ANY($1)`,
    [intentIds],
  );
  return new Map(rows.map((capture) => [capture.intent_id, capture]));
}

/**
 * A charge at the gateway, and the payment attempt that it names. For a hosted page this name is the only link, because
 * the attempt does not know its charge before the page is paid.
 */
export interface NamedCharge {
  intentId: string;
  attemptId?: string | undefined;
}

/**
 * State of the attempt that made a charge. `open`: the workflow will still learn the outcome. `over`: the money must be
 * recorded by now, otherwise it is missing.
 */
export type AttemptState = 'open' | 'over';

/**
 * Reads the states of these charges' attempts, by charge; a charge without an attempt of the platform is absent. Call
 * this before reading the captures: then the money of an attempt that ends between the two reads is already recorded.
 */
export async function attemptsOf(
  client: Client,
  charges: NamedCharge[],
  organizationId: string | null = null,
): Promise<Map<string, AttemptState>> {
  const { rows } = await client.query<{ id: string; intent_id: string | null; open: boolean }>(
    `SELECT id, intent_id, status = 'pending' OR (checkout_keys > 0 AND checkout_closed_at IS NULL) AS open
       FROM payment_attempts
      WHERE (intent_id = ANY($1) OR id::text = ANY($2)) AND ($3::uuid IS NULL OR organization_id = $3)`,
    [charges.map(({ intentId }) => intentId), charges.flatMap(({ attemptId }) => attemptId ?? []), organizationId],
  );
  const byIntent = new Map(rows.map((row) => [row.intent_id, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    charges.flatMap(({ intentId, attemptId }) => {
      const attempt = byIntent.get(intentId) ?? byId.get(attemptId?.toLowerCase() ?? '');
      return attempt ? [[intentId, attempt.open ? 'open' : 'over'] as const] : [];
    }),
  );
}

/** Reports whether unrecorded money may still be recorded. @param isRecent whether it was captured a moment ago */
export const mayBeRecordedLater = (attempt: AttemptState | undefined, isRecent: boolean): boolean =>
  attempt === undefined ? isRecent : attempt === 'open';

/**
 * Returns the ids of the charges with a refund in flight: an event of the gateway about the charge is not applied yet,
 * or the refund's process has not finished.
 */
export async function refundsInFlight(client: Client, intentIds: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ intent_id: string }>(
    `SELECT payload->>'intentId' AS intent_id FROM webhook_events
      WHERE processed_at IS NULL AND payload->>'intentId' = ANY($1)
     UNION
     SELECT c.intent_id FROM capture_resolutions r
       JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
      WHERE r.status = 'pending' AND c.intent_id = ANY($1)
     UNION
     SELECT c.intent_id FROM refunds r
       JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
      WHERE r.finished_at IS NULL AND c.intent_id = ANY($1)`,
    [intentIds],
  );
  return new Set(rows.map(({ intent_id }) => intent_id));
}
