/**
 * Stuck processes (docs/decisions/process-incidents.md): one row for each, written by failing steps and by the check
 * that compares this table with Temporal. Call these functions in a transaction without a tenant.
 */
import { rows } from '../database/rows.js';

/** Why a process is stuck. `no_process`: a row is pending, but no process runs for it. */
export type StuckReason = 'attempts' | 'task_failed' | 'age' | 'no_process';

export interface Incident {
  workflowId: string;
  organizationId: string | null;
  kind: string;
  /** Input of the process, ids only; empty when it cannot be read. */
  input: Record<string, unknown>;
  subjectId: string | null;
  chapterId: string | null;
  reason: StuckReason;
  /** The last known status in Temporal; `waiting`: Temporal does not know the process. */
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed_out';
  startedAt: Date;
}

/** Inserts incidents. An incident that exists keeps its age, and gets the new reason and status. */
export async function recordIncidents(incidents: readonly Incident[]): Promise<void> {
  if (incidents.length === 0) return;
  await rows(
    `INSERT INTO process_incidents (workflow_id, organization_id, kind, input, subject_id, chapter_id, reason, status, started_at)
     SELECT DISTINCT ON (i."workflowId") i."workflowId", i."organizationId", i.kind, i.input, i."subjectId", i."chapterId", i.reason, i.status, i."startedAt"
       FROM jsonb_to_recordset($1) AS i ("workflowId" text, "organizationId" uuid, kind text, input jsonb, "subjectId" text,
              "chapterId" uuid, reason text, status text, "startedAt" timestamptz)
      ORDER BY i."workflowId"
     ON CONFLICT (workflow_id) DO UPDATE SET reason = excluded.reason, status = excluded.status
      WHERE (process_incidents.reason, process_incidents.status) <> (excluded.reason, excluded.status)`,
    [JSON.stringify(incidents)],
  );
}

/** Deletes the incident of a process whose step has succeeded after many attempts. */
export async function removeAttemptsIncident(workflowId: string): Promise<void> {
  await rows(`DELETE FROM process_incidents WHERE workflow_id = $1 AND reason = 'attempts'`, [workflowId]);
}

/** An incident as it was read, to delete exactly this one. */
export interface StoredIncident extends Incident {
  createdAt: string;
}

const COLUMNS = `workflow_id AS "workflowId", organization_id AS "organizationId", kind, input, subject_id AS "subjectId",
  chapter_id AS "chapterId", reason, status, started_at AS "startedAt", to_json(created_at)#>>'{}' AS "createdAt"`;

/** Deletes incidents, unless a newer one of the same process has replaced them. */
export async function removeIncidents(incidents: readonly StoredIncident[]): Promise<void> {
  if (incidents.length === 0) return;
  await rows(
    `DELETE FROM process_incidents i USING unnest($1::text[], $2::timestamptz[]) AS gone (workflow_id, created_at)
      WHERE i.workflow_id = gone.workflow_id AND i.created_at = gone.created_at`,
    [incidents.map(({ workflowId }) => workflowId), incidents.map(({ createdAt }) => createdAt)],
  );
}

/**
 * Lists incidents of all organizations.
 * @param after workflow id of the last incident of the batch before; null for the first batch
 */
export const listIncidents = (after: string | null, limit: number): Promise<StoredIncident[]> =>
  rows(
    `SELECT ${COLUMNS} FROM process_incidents WHERE $1::text IS NULL OR workflow_id > $1 ORDER BY workflow_id LIMIT $2`,
    [after, limit],
  );

/** Returns the incidents of these processes, by workflow id. */
export async function readIncidents(workflowIds: readonly string[]): Promise<ReadonlyMap<string, StoredIncident>> {
  if (workflowIds.length === 0) return new Map();
  const found = await rows<StoredIncident>(`SELECT ${COLUMNS} FROM process_incidents WHERE workflow_id = ANY ($1)`, [
    workflowIds,
  ]);
  return new Map(found.map((incident) => [incident.workflowId, incident]));
}

/** Lists the workflow ids of all stuck processes of an organization; null: of all organizations and the platform. */
export async function listIncidentIds(organizationId: string | null): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    'SELECT workflow_id AS id FROM process_incidents WHERE $1::uuid IS NULL OR organization_id = $1',
    [organizationId],
  );
  return new Set(found.map(({ id }) => id));
}
