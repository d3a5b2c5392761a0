/** Notifies administrators of stuck processes that have or may have moved money. */
import { PROCESS_KINDS } from '../../workflows/contracts/index.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { notify } from '../notifications/notify.js';
import { moneyMovedIn } from './moneyMoved.js';
import { notifications } from './notifications.js';
import { rowIdOf } from './pendingIntents.js';

type Audience = 'organization' | 'foundation' | 'platform';

/** Kinds that move money, with the people who see them. */
const MONEY_KINDS = new Map<string, Audience>(
  PROCESS_KINDS.filter(({ money }) => money !== 'never').map(({ kind, seenBy }) => [kind, seenBy]),
);

/** For each audience, the SQL function that returns the people who are notified. */
const ADMINS: Partial<Record<Audience, string>> = {
  organization: 'app.active_admins',
  foundation: 'app.active_foundation_admins',
};

const BATCH_SIZE = 500;
/** Maximum number of admins who are notified. */
const MAX_ADMINS = 200;

/** Lists organizations with incidents of kinds that move money, of which no one is notified yet. Needs no tenant. */
export async function listOrganizationsToNotify(): Promise<string[]> {
  const found = await rows<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM process_incidents
      WHERE notified_at IS NULL AND organization_id IS NOT NULL AND kind = ANY ($1)`,
    [[...MONEY_KINDS.keys()]],
  );
  return found.map(({ id }) => id);
}

/**
 * Notifies the admins of the tenant of its next stuck processes, of each process once, if money has or may have moved.
 * @param after workflow id of the last incident of the batch before; null for the first batch
 * @returns the cursor of the next batch; null after the last
 */
export async function notifyOfIncidents(after: string | null): Promise<string | null> {
  const organizationId = currentOrganization();
  const incidents = await rows<{ workflowId: string; kind: string; input: Record<string, unknown> }>(
    `SELECT workflow_id AS "workflowId", kind, input FROM process_incidents
      WHERE organization_id = $1 AND notified_at IS NULL AND kind = ANY ($2) AND ($3::text IS NULL OR workflow_id > $3)
      ORDER BY workflow_id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
    [organizationId, [...MONEY_KINDS.keys()], after],
  );
  const moved = await moneyMovedIn(incidents);
  const concerning = incidents.filter(({ workflowId }) => moved.get(workflowId) !== 'no');
  for (const { workflowId, kind } of concerning) {
    const subject = rowIdOf(workflowId);
    const admins = ADMINS[MONEY_KINDS.get(kind) ?? 'platform'];
    if (subject === null || admins === undefined) continue;
    const people = await rows<{ id: string }>(
      `SELECT DISTINCT user_id AS id FROM ${admins}($1) ORDER BY 1 LIMIT ${MAX_ADMINS}`,
      [organizationId],
    );
    const to = people.map(({ id }) => id);
    await notify(notifications.process_stuck, [subject], { to, actor: null, cause: `stuck:${workflowId}` });
  }
  await rows('UPDATE process_incidents SET notified_at = now() WHERE workflow_id = ANY ($1)', [
    concerning.map(({ workflowId }) => workflowId),
  ]);
  return incidents.length >= BATCH_SIZE ? (incidents.at(-1)?.workflowId ?? null) : null;
}

/** Reports whether admins of the tenant were notified of a stuck process about this row. */
export async function isNotifiedProcess(subjectId: string): Promise<boolean> {
  const found = await firstRow(
    `SELECT FROM notifications WHERE organization_id = $1 AND subject_type = 'process' AND subject_id = $2 LIMIT 1`,
    [currentOrganization(), subjectId],
  );
  return found !== null;
}
