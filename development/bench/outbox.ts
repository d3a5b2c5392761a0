/** Starts workflows through the outbox, as schedules do, for a worker that runs or starts later. */
import type { Client } from 'pg';
import type { TenantInput } from '../../workflows/contracts/process.js';

/**
 * Inserts an outbox row for each input, so that a workflow is started with it.
 * @param process the contract of the workflow
 */
export async function enqueue<Input extends TenantInput>(
  owner: Client,
  process: { name: string; workflowId: (input: Input) => string },
  inputs: readonly Input[],
): Promise<void> {
  const starts = inputs.map((input) => ({ input, id: process.workflowId(input) }));
  await owner.query(
    `INSERT INTO outbox (organization_id, process, workflow_id, input)
     SELECT (p.input ->> 'organizationId')::uuid, $1, p.id, p.input FROM jsonb_to_recordset($2::jsonb) AS p (id text, input jsonb)`,
    [process.name, JSON.stringify(starts)],
  );
}
