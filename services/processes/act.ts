/**
 * Carries out an administrator's retry or cancel request: checks that the process permits it, records it in the audit
 * log, executes it, and observes its effect.
 */
import type { Origin } from '../../models/database/connection.js';
import { audit, auditPlatform } from '../../models/database/audit.js';
import { inTenantIfAny } from '../../models/database/tenancy.js';
import { beforeCancel, cancelWaitingProcess } from '../../models/processes/cancelProcess.js';
import { processErrors } from '../../models/processes/errors.js';
import { mayCancel, mayCancelInBulk, mayRetry, type Verdict } from './actions.js';
import { type CancelOutcome, cancelRunning } from './cancel.js';
import { type Process, subjectOf } from './findProcess.js';
import { retry, type RetryOutcome } from './retry.js';
import { readDetails, type ProcessDetails } from './details.js';

type FindProcess = () => Promise<Process>;

/** The facts of an action that the audit log keeps. */
export interface ActionRequest {
  origin: Origin;
  /** The administrator's words; null when there are none. */
  reason: string | null;
  /** The bulk action of the request, if it is part of one. */
  bulkAction?: {
    id: string;
    /** Claims the process in the transaction that writes the audit entry; throws to prevent the action. */
    claim: () => Promise<void>;
  };
}

/**
 * Retries a process at an administrator's request.
 * @throws Refusal with the reason why it cannot be retried now
 */
export async function retryProcess(find: FindProcess, request: ActionRequest): Promise<RetryOutcome> {
  const details = await readDetails(await find());
  requireSafe(mayRetry(details.process));
  await record(details.process, 'process.retry_requested', request);
  return retry(details, request.origin.requestId);
}

/**
 * Cancels a process at an administrator's request.
 * @throws Refusal with the reason why it cannot be cancelled now
 */
export async function cancelProcess(find: FindProcess, request: ActionRequest): Promise<CancelOutcome> {
  const details = await readDetails(await find());
  requireSafe((request.bulkAction ? mayCancelInBulk : mayCancel)(details.process, details.moved));
  await record(details.process, 'process.cancel_requested', request, () => cancelInRows(details));
  return cancelInTemporal(await find());
}

function requireSafe(verdict: Verdict): void {
  if (!verdict.safe) throw verdict.refusal(verdict.reason);
}

/**
 * Records the request in the audit log, in one transaction with the claim and `work` (the changes to the rows). For a
 * process without an organization, this is the platform's log.
 */
async function record(
  process: Process,
  action: string,
  { origin, reason, bulkAction }: ActionRequest,
  work: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { facts, execution, waiting } = process;
  const { organizationId, workflowId } = execution ?? waiting;
  const subject = subjectOf(process);
  const auditSubject = { subjectType: subject?.type ?? 'process', subjectId: subject?.id ?? null };
  await inTenantIfAny(
    organizationId,
    async () => {
      await bulkAction?.claim();
      await work();
      const bulk = bulkAction && { bulk_action: bulkAction.id };
      const after = { workflow_id: workflowId, kind: facts.kind, ...(reason !== null && { reason }), ...bulk };
      await (organizationId === null ? auditPlatform : audit)({ action, ...auditSubject, after });
    },
    { origin },
  );
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
