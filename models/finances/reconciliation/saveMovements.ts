/** Saves a run and the provider's movements. The movements and the listing's cursor are written in one transaction. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { loadIfExists } from '../../database/model/read.js';
import { OrgPaymentProcessor } from '../payment-processors/OrgPaymentProcessor.js';
import type { Reconciliation } from './Reconciliation.js';

/** Identifies a run by processor and day. The period is fixed when the run first starts. */
export interface RunKey {
  processorId: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** ISO 8601, inclusive. */
  from: string;
  to: string;
}

export interface Run {
  id: string;
  status: Reconciliation['status'];
  cursor: string | null;
  /** The period that the first start has fixed; later starts keep it. */
  from: Date;
  to: Date;
}

/**
 * A movement as the provider reports it. Of its metadata, only our own ids are included. Amounts in cents, negative for
 * outgoing money.
 */
export interface MovementRow {
  movement_id: string;
  kind: string;
  amount_cents: number;
  fee_cents: number;
  currency: string;
  moved_at: Date;
  intent_id: string | null;
  gateway_refund_id: string | null;
  marks: Record<string, string>;
}

/**
 * Starts a run or continues it. If the provider has refused the run before, the run begins again with the listing.
 * @throws RowMissing without the processor
 */
export async function beginRun({ processorId, day, from, to }: RunKey): Promise<Run> {
  if (!(await loadIfExists(OrgPaymentProcessor, processorId))) throw new RowMissing('There is no such processor.');
  return oneRow<Run>(
    `INSERT INTO reconciliations (organization_id, processor_id, day, period_from, period_to) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT reconciliations_once DO UPDATE
       SET status = CASE reconciliations.status WHEN 'refused' THEN 'listing' ELSE reconciliations.status END,
           finished_at = CASE reconciliations.status WHEN 'compared' THEN reconciliations.finished_at END
     RETURNING id, status, cursor, period_from AS "from", period_to AS "to"`,
    [currentOrganization(), processorId, day, from, to],
  );
}

/**
 * Saves movements, each once, and the listing's cursor.
 * @param next null after the last movements
 */
export async function saveMovements(
  runId: string,
  processorId: string,
  movements: readonly MovementRow[],
  next: string | null,
): Promise<void> {
  if (movements.length > 0)
    await rows(
      `INSERT INTO gateway_movements (organization_id, processor_id, provider, movement_id, kind, amount_cents, fee_cents, currency,
          moved_at, intent_id, gateway_refund_id, marks)
       SELECT $1, p.id, p.provider, m.* FROM org_payment_processors p
        CROSS JOIN jsonb_to_recordset($3) AS m(movement_id text, kind text, amount_cents bigint, fee_cents bigint, currency text,
          moved_at timestamptz, intent_id text, gateway_refund_id text, marks jsonb)
        WHERE p.organization_id = $1 AND p.id = $2
       ON CONFLICT ON CONSTRAINT gateway_movements_once DO NOTHING`,
      [currentOrganization(), processorId, JSON.stringify(movements)],
    );
  await rows(
    `UPDATE reconciliations SET cursor = $2, status = CASE WHEN $2::text IS NULL THEN 'comparing' ELSE status END
      WHERE id = $1 AND status = 'listing'`,
    [runId, next],
  );
}

/** Marks a run as refused: the provider rejects the key or cannot list movements. The next day's run tries again. */
export async function refuseRun(runId: string): Promise<void> {
  await rows(
    `UPDATE reconciliations SET status = 'refused', cursor = NULL, finished_at = now() WHERE id = $1 AND status IN ('listing', 'comparing')`,
    [runId],
  );
}
