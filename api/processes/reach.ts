/** Determines which processes an actor may access. */
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { findProcess, kindsSeenBy, type Process, type Scope } from '../../services/processes/findProcess.js';
import { authorize, foundationAdmin } from '../http/policy.js';
import { workflowIdOf } from './id.js';
import { processPolicy } from './policy.js';

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

/**
 * Finds a process by its id in the URL.
 * @returns a function that looks the process up; call it outside of any transaction
 * @throws Refusal not_found, also for a process that is out of scope
 */
export function processAt(scope: Scope, id: string): () => Promise<Process> {
  const workflowId = workflowIdOf(id);
  if (workflowId === null) throw refuse.not_found();
  return () => findProcess(scope, workflowId);
}

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
