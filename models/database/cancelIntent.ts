/** Intents in the outbox that nobody is to carry out any more. */
import { firstRow } from './rows.js';

interface Intent {
  organizationId: string | null;
  /** The workflow type. */
  name: string;
  workflowId: string;
  input: Record<string, unknown>;
}

/** @returns whether it was not handed over yet */
export const takeBack = async (id: string, organizationId: string | null): Promise<boolean> =>
  (await firstRow(
    `UPDATE outbox SET dispatched_at = now(), cancelled_at = now()
      WHERE id = $1 AND organization_id = $2 AND dispatched_at IS NULL RETURNING id`,
    [id, organizationId],
  )) !== null;

/** Of an intent whose process is forgotten: nothing else is left to show that there was one. */
export const keepCancelled = async ({ organizationId, name, workflowId, input }: Intent): Promise<boolean> =>
  (await firstRow(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, dispatched_at, cancelled_at)
     VALUES ($1, $2, $3, $4, now(), now()) RETURNING id`,
    [organizationId, name, workflowId, JSON.stringify(input)],
  )) !== null;
