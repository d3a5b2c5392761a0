/**
 * Compares the list of stuck processes with Temporal and with the rows that wait for a process
 * (docs/decisions/process-incidents.md).
 */
import { type DescribedExecution, describeLatest } from '../gateways/temporal/processes/describe.js';
import { listAllExecutions, runningAmong } from '../gateways/temporal/processes/list.js';
import {
  continuedRunsQuery,
  isOurQueue,
  overdueCondition,
  visibilityQuery,
} from '../gateways/temporal/processes/query.js';
import { inPlatform, inTenant } from '../models/database/tenancy.js';
import {
  type Incident,
  listIncidents,
  readIncidents,
  recordIncidents,
  removeIncidents,
  type StoredIncident,
} from '../models/processes/incidents.js';
import { listOrganizationsToNotify, notifyOfIncidents } from '../models/processes/notifyOfIncidents.js';
import { findOverdueSubjects, listOverdueProcesses } from '../models/processes/overdueRows.js';
import { listPendingIntents, pendingAmong, withoutUndispatched } from '../models/processes/pendingIntents.js';
import { incidentOf, incidentOfLost } from '../services/processes/incidents.js';
import { findLost } from '../services/processes/lost.js';
import { stuckReason } from '../services/processes/stuck.js';
import { factsByName, PROCESS_KINDS } from '../workflows/contracts/index.js';

const INCIDENT_BATCH_SIZE = 500;
const INTENT_BATCH_SIZE = 2_000;

/**
 * Compares the next incidents with Temporal: deletes those whose process has recovered or ended, and corrects the
 * reason and status of the others.
 * @returns the cursor of the next batch; null after the last
 */
export const reviewIncidents = async (after: string | null): Promise<string | null> => {
  const batch = await inPlatform(() => listIncidents(after, INCIDENT_BATCH_SIZE), { readOnly: true });
  const current = await describeLatest(batch.map(({ workflowId }) => workflowId));
  const ended = batch.filter(({ workflowId }) => current.get(workflowId)?.status !== 'running');
  const pending = await inPlatform(() => pendingAmong(ended.map(({ workflowId }) => workflowId)), { readOnly: true });
  const overdue = await findOverdueSubjects([...current.values()]);
  const endedIncidents: StoredIncident[] = [];
  const changed: Incident[] = [];
  for (const incident of batch) {
    const execution = current.get(incident.workflowId);
    const status = execution?.status ?? 'waiting';
    const reason =
      execution?.status === 'running'
        ? reasonNow(execution, overdue, incident)
        : pending.has(incident.workflowId)
          ? ('no_process' as const)
          : null;
    if (reason === null) endedIncidents.push(incident);
    else if (reason !== incident.reason || status !== incident.status) changed.push({ ...incident, reason, status });
  }
  await inPlatform(async () => {
    await removeIncidents(endedIncidents);
    await recordIncidents(changed);
  });
  return batch.length >= INCIDENT_BATCH_SIZE ? (batch.at(-1)?.workflowId ?? null) : null;
};

function reasonNow(execution: DescribedExecution, overdue: ReadonlySet<string>, incident?: Incident) {
  const facts = factsByName(execution.name);
  if (!facts || !isOurQueue(execution.taskQueue)) return null;
  const isOverdue = overdue.has(execution.subjectId ?? '');
  return stuckReason(facts, execution, { isOverdue, recorded: incident?.reason ?? null });
}

/**
 * Records processes that run longer than their kind is expected to, or whose row is overdue. Temporal's lists are
 * delayed, so each candidate is described.
 */
export const findAgedProcesses = async (): Promise<void> => {
  const now = new Date();
  const old = await listAllExecutions(visibilityQuery(ALL_RUNNING, overdueCondition(PROCESS_KINDS, now)));
  const continued = await listAllExecutions(continuedRunsQuery(PROCESS_KINDS, now));
  const overdueIds = await inPlatform(listOverdueProcesses, { readOnly: true });
  const running = await runningAmong([...new Set([...continued.map(({ workflowId }) => workflowId), ...overdueIds])]);
  const candidates = [...new Set([...old.map(({ workflowId }) => workflowId), ...running])];
  const known = await inPlatform(() => readIncidents(candidates), { readOnly: true });
  const current = await describeLatest(candidates.filter((id) => !known.has(id)));
  const overdue = await findOverdueSubjects([...current.values()]);
  const incidents: Incident[] = [];
  for (const execution of current.values()) {
    const reason = reasonNow(execution, overdue);
    const incident = reason && (await incidentOf(execution, reason));
    if (incident) incidents.push(incident);
  }
  await inPlatform(() => recordIncidents(incidents));
};

const ALL_RUNNING = { organizationId: null, status: 'running' } as const;

/**
 * Records the next pending rows for which no process runs.
 * @returns the cursor of the next batch; null after the last
 */
export const findLostProcesses = async (after: string | null): Promise<string | null> => {
  const { batch, dispatched } = await inPlatform(
    async () => {
      const intents = await listPendingIntents({ organizationId: null, after, limit: INTENT_BATCH_SIZE });
      return { batch: intents, dispatched: await withoutUndispatched(intents) };
    },
    { readOnly: true },
  );
  const lost = await findLost(dispatched);
  await inPlatform(() => recordIncidents(lost.map(incidentOfLost)));
  return batch.length >= INTENT_BATCH_SIZE ? (batch.at(-1)?.rowId ?? null) : null;
};

/** Notifies the admins of each organization of stuck processes that have or may have moved money. */
export const notifyOfStuckPayments = async (): Promise<void> => {
  for (const organizationId of await inPlatform(listOrganizationsToNotify, { readOnly: true })) {
    let cursor: string | null = null;
    do cursor = await inTenant(organizationId, () => notifyOfIncidents(cursor));
    while (cursor !== null);
  }
};
