/** Whose processes somebody may see and mend, and one of them by its id. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { TemporalUnavailable } from '../../gateways/temporal/processes/ask.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { isOurQueue } from '../../gateways/temporal/processes/query.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { findPendingIntent, type PendingIntent } from '../../models/processes/pendingIntents.js';
import { findWaiting, type WaitingProcess } from '../../models/processes/waiting.js';
import { factsByName, type ProcessFacts } from '../../workflows/contracts/index.js';
import { authorize } from '../http/policy.js';
import { workflowIdOf } from './id.js';
import { asWaiting } from './lost.js';
import { processPolicy } from './policy.js';

/** The organization whose processes are meant; null: all of them, and those of none. */
export type Scope = string | null;

/** @throws Refusal forbidden, membership_ended */
export function scopeOf(actor: Actor, action: 'read' | 'retry' | 'cancel'): Scope {
  if (!actor.isPlatformAdmin && !actor.stands) throw identityErrors.membership_ended();
  authorize(actor, processPolicy, action);
  return actor.isPlatformAdmin ? actor.facts.organization_id : actor.organizationId;
}

export type Process =
  | {
      facts: ProcessFacts;
      execution: DescribedExecution;
      waiting: null;
      /** The row that waits for it, while it does not run. */
      intent: PendingIntent | null;
    }
  | { facts: ProcessFacts; execution: null; waiting: WaitingProcess };

/**
 * Finds a process by its id: as Temporal runs it, else as the intent that waits for its start, else as the row that waits
 * for a process that Temporal has forgotten.
 * Whose it is, its execution itself says, whatever a list or an address claims.
 * @returns to be called outside of any transaction, as often as somebody wants to look
 * @throws Refusal not_found for one that is out of scope, too
 */
export function processAt(scope: Scope, id: string): () => Promise<Process> {
  const workflowId = workflowIdOf(id);
  if (workflowId === null) throw refuse.not_found();
  return async () => {
    // Read before, so that what is handed over meanwhile is found on the other side.
    const handover = await inPlatform(() => findWaiting(workflowId, scope), { readOnly: true });
    const execution = await describeExecution(workflowId);
    const runs = execution?.status === 'running';
    const intent = runs ? null : await inPlatform(() => findPendingIntent(workflowId, scope), { readOnly: true });
    const waiting = handover ?? (intent && asWaiting(intent));
    const facts = factsByName((execution ?? waiting)?.name ?? '');
    if (facts && execution && isInScope(scope, execution)) return { facts, execution, waiting: null, intent };
    if (facts && !execution && waiting) return { facts, execution, waiting };
    throw refuse.not_found();
  };
}

/** Whether an execution is this deployment's, and the organization's that is meant. */
export const isInScope = (scope: Scope, { organizationId, taskQueue }: Execution): boolean =>
  isOurQueue(taskQueue) && (scope === null || organizationId === scope);

/** Runs what asks Temporal. @throws Refusal unavailable while it is away */
export async function withTemporal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    throw refuse.unavailable('Processes cannot be looked at right now. Try again shortly.', undefined, {
      'Retry-After': '5',
    });
  }
}
