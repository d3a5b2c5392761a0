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

/** Maximum number of incidents of an organization that one call examines. The next check examines the others. */
const MAX_EXAMINED = 500;
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

/** Notifies the admins of the tenant of its stuck processes, of each process once, if money has or may have moved. */
export async function notifyOfIncidents(): Promise<void> {
  const organizationId = currentOrganization();
  const incidents = await rows<{ workflowId: string; kind: string; input: Record<string, unknown> }>(
    `SELECT workflow_id AS "workflowId", kind, input FROM process_incidents
      WHERE organization_id = $1 AND notified_at IS NULL AND kind = ANY ($2)
      ORDER BY created_at LIMIT ${MAX_EXAMINED} FOR UPDATE SKIP LOCKED`,
    [organizationId, [...MONEY_KINDS.keys()]],
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
}

/** Reports whether admins of the tenant were notified of a stuck process about this row. */
export async function isNotifiedProcess(subjectId: string): Promise<boolean> {
  const found = await firstRow(
    `SELECT FROM notifications WHERE organization_id = $1 AND subject_type = 'process' AND subject_id = $2 LIMIT 1`,
    [currentOrganization(), subjectId],
  );
  return found !== null;
}
