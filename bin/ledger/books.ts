/** Our side of the books: captures and attempts, read as the owner role. */
import type { Client } from 'pg';

export interface Capture {
  organization_id: string;
  processor_id: string;
  intent_id: string;
  amount_cents: number;
  refunded_cents: number;
}

/** How a comparison with a gateway went. */
export interface Comparison {
  /** Whom we compared with. */
  name: string;
  examined: number;
  /** Charges that are still on their way: captured a moment ago, or of an attempt that has not ended. */
  underway: number;
  violations: Record<string, unknown>[];
}

/** How long an event of the gateway, or the process behind it, may take before its money counts as lost. */
export const GRACE_MS = 60_000;

/** The captures under these charges, by charge. */
export async function capturesOf(client: Client, intentIds: string[]): Promise<Map<string, Capture>> {
  const { rows } = await client.query<Capture>(
    `SELECT organization_id, processor_id, intent_id, amount_cents::float8, refunded_cents::float8
       FROM processor_captures WHERE intent_id = ANY($1)`,
    [intentIds],
  );
  return new Map(rows.map((capture) => [capture.intent_id, capture]));
}

/** Those of these charges whose attempt has not ended. */
export async function pendingAmong(client: Client, intentIds: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ intent_id: string }>(
    `SELECT intent_id FROM payment_attempts WHERE status = 'pending' AND intent_id = ANY($1)`,
    [intentIds],
  );
  return new Set(rows.map(({ intent_id }) => intent_id));
}
