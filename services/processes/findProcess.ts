/** Finds one process by its workflow id. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { isOurQueue } from '../../gateways/temporal/processes/query.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';
import { findPendingIntent, type PendingIntent } from '../../models/processes/pendingIntents.js';
import { findWaiting, type WaitingProcess } from '../../models/processes/waiting.js';
import {
  factsByName,
  PROCESS_KINDS,
  type ProcessFacts,
  processByName,
  subjectTypeOf,
} from '../../workflows/contracts/index.js';
import { asWaiting } from './lost.js';

/** The processes that are accessible. */
export interface Scope {
  /** null: the processes of all organizations, and those without an organization. */
  organizationId: string | null;
  /** null: all kinds. */
  kinds: ReadonlySet<string> | null;
}

/** Returns the kinds of processes that one of these audiences may see. */
export const kindsSeenBy = (audiences: readonly ProcessFacts['seenBy'][]): ReadonlySet<string> =>
  new Set(PROCESS_KINDS.filter(({ seenBy }) => audiences.includes(seenBy)).map(({ kind }) => kind));

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
 * Finds a process: a Temporal execution, else an intent that waits for its start, else a pending row whose execution is
 * gone from Temporal. The organization is read from what was found. Call it outside of any transaction.
 * @throws Refusal not_found, also for a process that is out of scope
 */
export async function findProcess(scope: Scope, workflowId: string): Promise<Process> {
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
}

/** Reports whether an execution belongs to this deployment and is in scope. */
export const isInScope = (scope: Pick<Scope, 'organizationId'>, { organizationId, taskQueue }: Execution): boolean =>
  isOurQueue(taskQueue) && (scope.organizationId === null || organizationId === scope.organizationId);

/** Returns the type and id of the row that a process is about; null when it has none. */
export function subjectOf({ facts, execution, waiting }: Process): { type: string; id: string } | null {
  const type = subjectTypeOf(facts.name);
  const id = waiting ? waiting.input[processByName(waiting.name).subject.id] : execution.subjectId;
  return type && id ? { type, id } : null;
}
