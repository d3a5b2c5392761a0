/**
 * Carries out an administrator's retry or cancel request: checks that the process permits it, records it in the audit
 * log, executes it, and observes its effect.
 */
import { inTenantIfAny } from '../../models/database/tenancy.js';
import type { Actor } from '../../models/identity/Actor.js';
import { auditInOrganization } from '../../models/identity/auditInOrganization.js';
import { log } from '../../models/log.js';
import { beforeCancel, cancelWaitingProcess } from '../../models/processes/cancelProcess.js';
import { processErrors } from '../../models/processes/errors.js';
import type { RequestFacts } from '../http/routes.js';
import { mayCancel, mayRetry, type Verdict } from './actions.js';
import { CANCEL_DETAILS, type CancelOutcome, cancelRunning } from './cancel.js';
import { presentProcess } from './present.js';
import type { Process } from './reach.js';
import { retry, RETRY_DETAILS } from './retry.js';
import { presentDetails, readDetails, type ProcessDetails } from './details.js';
import { originOf } from '../http/origin.js';

type FindProcess = () => Promise<Process>;

/**
 * Retries a process at an administrator's request.
 * @throws Refusal with the reason why it cannot be retried now
 */
export async function retryProcess(find: FindProcess, actor: Actor, request: RequestFacts) {
  const details = await readDetails(await find());
  requireSafe(mayRetry(details.process));
  await record(details.process, 'process.retry_requested', actor, request);
  const outcome = await retry(details, request.id);
  return { outcome, detail: RETRY_DETAILS[outcome], process: await presentDetails(await readDetails(await find())) };
}

/**
 * Cancels a process at an administrator's request.
 * @throws Refusal with the reason why it cannot be cancelled now
 */
export async function cancelProcess(find: FindProcess, actor: Actor, request: RequestFacts) {
  const details = await readDetails(await find());
  requireSafe(mayCancel(details.process, details.moved));
  await record(details.process, 'process.cancel_requested', actor, request, () => cancelInRows(details));
  const outcome = await cancelInTemporal(await find());
  return { outcome, detail: CANCEL_DETAILS[outcome], process: await presentDetails(await readDetails(await find())) };
}

function requireSafe(verdict: Verdict): void {
  if (!verdict.safe) throw verdict.refusal(verdict.reason);
}

/**
 * Records the request in the audit log, in one transaction with `work` (the changes to the rows). A process without an
 * organization goes to the application log instead.
 */
async function record(
  process: Process,
  action: string,
  actor: Actor,
  request: RequestFacts,
  work: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { organization, workflow_id, kind, subject } = presentProcess(process);
  const origin = originOf(request, actor);
  const auditSubject = { subjectType: subject?.type ?? 'process', subjectId: subject?.id ?? null };
  await inTenantIfAny(
    organization,
    async () => {
      await work();
      await auditInOrganization({ action, ...auditSubject, after: { workflow_id, kind } });
    },
    { origin },
  );
  if (organization !== null) return;
  const { userId } = actor;
  log.info({ userId, requestId: request.id, process: process.facts.name, workflowId: workflow_id }, action);
}

async function cancelInRows({ process: { facts, waiting }, history }: ProcessDetails): Promise<void> {
  if (!waiting) return beforeCancel(facts.name, history?.input ?? null);
  if (!(await cancelWaitingProcess(waiting))) throw processErrors.process_changed();
}

/**
 * Requests the cancellation of a process at Temporal. A process without an execution was never started there, so
 * cancelling its rows was enough.
 */
async function cancelInTemporal({ execution, facts: { cancel } }: Process): Promise<CancelOutcome> {
  if (!execution) return 'cancelled';
  return cancelRunning(execution, cancel);
}
