/** Cancels intents to start processes, which are rows of the outbox. */
import { firstRow } from './rows.js';

interface Intent {
  organizationId: string | null;
  /** The workflow type. */
  name: string;
  workflowId: string;
  input: Record<string, unknown>;
}

/**
 * Cancels an intent if it was not dispatched yet.
 * @returns whether it was cancelled
 */
export const cancelPendingIntent = async (id: string, organizationId: string | null): Promise<boolean> =>
  (await firstRow(
    `UPDATE outbox SET dispatched_at = now(), cancelled_at = now()
      WHERE id = $1 AND organization_id = $2 AND dispatched_at IS NULL RETURNING id`,
    [id, organizationId],
  )) !== null;

/**
 * Records the cancellation of a process that Temporal no longer knows, as a cancelled intent in the outbox. Without
 * this row nothing would show the cancellation.
 */
export const recordCancelledIntent = async ({ organizationId, name, workflowId, input }: Intent): Promise<boolean> =>
  (await firstRow(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, dispatched_at, cancelled_at)
     VALUES ($1, $2, $3, $4, now(), now()) RETURNING id`,
    [organizationId, name, workflowId, JSON.stringify(input)],
  )) !== null;
