/** Determines which processes an actor may access, and finds one process by its id. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { isOurQueue } from '../../gateways/temporal/processes/query.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { findPendingIntent, type PendingIntent } from '../../models/processes/pendingIntents.js';
import { findWaiting, type WaitingProcess } from '../../models/processes/waiting.js';
import { factsByName, PROCESS_KINDS, type ProcessFacts } from '../../workflows/contracts/index.js';
import { authorize, foundationAdmin } from '../http/policy.js';
import { workflowIdOf } from './id.js';
import { asWaiting } from './lost.js';
import { processPolicy } from './policy.js';

/** The processes that are accessible. */
export interface Scope {
  /** null: the processes of all organizations, and those without an organization. */
  organizationId: string | null;
  /** null: all kinds. */
  kinds: ReadonlySet<string> | null;
}

/** Returns the kinds of processes that one of these audiences may see. */
const kindsSeenBy = (audiences: readonly ProcessFacts['seenBy'][]): ReadonlySet<string> =>
  new Set(PROCESS_KINDS.filter(({ seenBy }) => audiences.includes(seenBy)).map(({ kind }) => kind));

/**
 * Returns the organization in whose processes the actor may perform the action; null: all processes.
 * @throws Refusal forbidden, membership_ended
 */
export function scopeOf(actor: Actor, action: 'read' | 'retry' | 'cancel'): Scope {
  if (!actor.isPlatformAdmin && !actor.hasAccess) throw identityErrors.membership_ended();
  authorize(actor, processPolicy, action);
  if (actor.isPlatformAdmin) return { organizationId: actor.facts.organization_id, kinds: null };
  const kinds = kindsSeenBy([
    ...(actor.isNationalAdmin ? ['organization' as const] : []),
    ...(foundationAdmin.holds(actor, {}) ? ['foundation' as const] : []),
  ]);
  return { organizationId: actor.organizationId, kinds };
}

export type Process =
  | {
      facts: ProcessFacts;
      execution: DescribedExecution;
      waiting: null;
      /** The pending row of this process, if the process does not run; otherwise null. */
      intent: PendingIntent | null;
    }
  | { facts: ProcessFacts; execution: null; waiting: WaitingProcess };

/**
 * Finds a process by its id: a Temporal execution, else an intent that waits for its start, else a pending row whose
 * execution is gone from Temporal. The organization is read from what was found, not from the URL.
 * @returns a function that looks the process up; call it outside of any transaction
 * @throws Refusal not_found, also for a process that is out of scope
 */
export function processAt(scope: Scope, id: string): () => Promise<Process> {
  const workflowId = workflowIdOf(id);
  if (workflowId === null) throw refuse.not_found();
  return async () => {
    // Read the waiting intent before asking Temporal: if the process is handed over between the two reads, Temporal
    // finds it.
    const { organizationId } = scope;
    const handover = await inPlatform(() => findWaiting(workflowId, organizationId), { readOnly: true });
    const execution = await describeExecution(workflowId);
    const runs = execution?.status === 'running';
    const intent = runs
      ? null
      : await inPlatform(() => findPendingIntent(workflowId, organizationId), { readOnly: true });
    const waiting = handover ?? (intent && asWaiting(intent));
    const facts = factsByName((execution ?? waiting)?.name ?? '');
    if (facts && scope.kinds && !scope.kinds.has(facts.kind)) throw refuse.not_found();
    if (facts && execution && isInScope(scope, execution)) return { facts, execution, waiting: null, intent };
    if (facts && !execution && waiting) return { facts, execution, waiting };
    throw refuse.not_found();
  };
}

/** Reports whether an execution belongs to this deployment and is in scope. */
export const isInScope = (scope: Pick<Scope, 'organizationId'>, { organizationId, taskQueue }: Execution): boolean =>
  isOurQueue(taskQueue) && (scope.organizationId === null || organizationId === scope.organizationId);

/**
 * Runs `work`, which queries Temporal.
 * @throws Refusal unavailable while Temporal cannot be reached
 */
export async function withTemporal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    throw refuse.unavailable('Processes cannot be read right now. Try again shortly.', undefined, {
      'Retry-After': '5',
    });
  }
}
