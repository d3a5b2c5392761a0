/** The steps of a bulk action: each claims its targets one by one, and retries or cancels each of them once. */
import { cancellationSignal } from '@temporalio/activity';
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Refusal, refuse } from '../../models/errors.js';
import {
  beginPage,
  claimTarget,
  recordOutcome,
  recordUnknown,
  type Target,
} from '../../models/processes/bulk-actions/claimTargets.js';
import { type BulkActionEnd, stopNow } from '../../models/processes/bulk-actions/endBulkAction.js';
import type { ProcessBulkAction } from '../../models/processes/bulk-actions/ProcessBulkAction.js';
import type { TargetOutcome } from '../../models/processes/bulk-actions/ProcessBulkActionTarget.js';
import { processErrors } from '../../models/processes/errors.js';
import { cancelProcess, retryProcess } from '../../services/processes/act.js';
import { findProcess, kindsSeenBy } from '../../services/processes/findProcess.js';
import type { BulkActionInput } from '../../workflows/contracts/bulkAction.js';

/** Number of processes that are retried or cancelled at the same time; each is observed for some seconds. */
const CONCURRENCY = 5;

/**
 * Retries or cancels the next page of targets, or ends the bulk action. A step that runs again continues with targets
 * that are not claimed; those that the interrupted step had claimed have the outcome `unknown`.
 */
export const actOnNextTargets = async ({
  organizationId,
  bulkActionId,
}: BulkActionInput): Promise<'running' | BulkActionEnd> => {
  const { bulkAction, status, targets } = await inTenant(organizationId, () => beginPage(bulkActionId));
  const remaining = [...targets];
  const work = async (): Promise<void> => {
    // A step that lost its heartbeat leaves the remaining targets to the run that replaced it.
    while (remaining.length > 0 && !cancellationSignal().aborted)
      await actOnTarget(organizationId, bulkAction, remaining.shift() as Target);
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return status;
};

/** Ends the bulk action; the remaining targets are left as they are. */
export const stopBulkAction = ({ organizationId, bulkActionId }: BulkActionInput): Promise<void> =>
  inTenant(organizationId, () => stopNow(bulkActionId));

/** Thrown by a claim to prevent an action that another run of the step has begun. */
class ClaimedBefore extends Error {}

async function actOnTarget(organizationId: string, bulkAction: ProcessBulkAction, target: Target): Promise<void> {
  const record = (outcome: TargetOutcome, refusalCode: string | null = null) =>
    inTenant(organizationId, () => recordOutcome(target.id, outcome, refusalCode));
  try {
    await record(await act(organizationId, bulkAction, target));
  } catch (error) {
    if (error instanceof ClaimedBefore) return;
    if (error instanceof Refusal && error.code === refuse.not_found.code) return record('gone');
    if (error instanceof Refusal && error.code in processErrors) return record('refused', error.code);
    const mayHaveActed =
      error instanceof TemporalUnavailable && (await inTenant(organizationId, () => recordUnknown(target.id)));
    if (!mayHaveActed) throw error;
  }
}

/**
 * Retries or cancels one process, and observes the outcome.
 * @throws Refusal, ClaimedBefore, TemporalUnavailable
 */
function act(
  organizationId: string,
  { id, action, audiences, reason, requested_by: userId }: ProcessBulkAction,
  target: Target,
): Promise<TargetOutcome> {
  const scope = { organizationId, kinds: kindsSeenBy(audiences) };
  const find = () => findProcess(scope, target.workflow_id);
  const claim = async (): Promise<void> => {
    if (!(await claimTarget(target.id))) throw new ClaimedBefore();
  };
  const request = {
    origin: { userId, requestId: null, ipAddress: null },
    reason,
    bulkAction: { id, claim },
  };
  return action === 'retry' ? retryProcess(find, request) : cancelProcess(find, request);
}
