/** Previews a bulk action: which processes it would retry or cancel, and why it leaves out others. */
import type { z } from 'zod';
import { readInput } from '../../../gateways/temporal/processes/history.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal, refuse } from '../../../models/errors.js';
import { type BulkActionName, MAX_TARGETS } from '../../../models/processes/bulk-actions/ProcessBulkAction.js';
import { hashPreview } from '../../../models/processes/bulk-actions/startBulkAction.js';
import { readLabels } from '../../../models/processes/labels.js';
import { moneyMovedIn } from '../../../models/processes/moneyMoved.js';
import type { MoneyMoved, ProcessInput } from '../../../models/processes/rowParts.js';
import { mayCancelInBulk, mayRetry } from '../../../services/processes/actions.js';
import { findProcess, type Process, type Scope, subjectOf } from '../../../services/processes/findProcess.js';
import { processId, workflowIdOf } from '../id.js';
import { beginList } from '../list.js';
import type { BulkActionRequest } from './schema.js';

/** The scope of a bulk action: the processes of one organization. */
export type TenantScope = Scope & { organizationId: string };

type Filter = NonNullable<z.output<typeof BulkActionRequest>['filter']>;

const PAGE_SIZE = 100;

/** Lists the ids of the processes that match a filter, up to the maximum of a bulk action. */
export async function listMatching(scope: TenantScope, filter: Filter): Promise<{ ids: string[]; complete: boolean }> {
  const ids = new Set<string>();
  for (let page = 1; page <= MAX_TARGETS / PAGE_SIZE; page += 1) {
    const query = { ...filter, page, page_size: PAGE_SIZE };
    const readPage = await inTenant(scope.organizationId, () => beginList(scope, query), { readOnly: true });
    const { count, results } = await readPage();
    for (const { workflowId } of results) ids.add(processId(workflowId));
    if (page * PAGE_SIZE >= count) return { ids: [...ids], complete: true };
  }
  return { ids: [...ids], complete: false };
}

/** A process of a preview. */
interface Candidate {
  process: Process;
  workflowId: string;
  kind: string;
  subjectId: string | null;
  /** Empty when it cannot be read, or is not needed because the kind moves no money. */
  input: ProcessInput;
}

/** Previews a bulk action on these processes. Changes nothing. */
export async function previewBulkAction(scope: TenantScope, action: BulkActionName, ids: readonly string[]) {
  const found = await findCandidates(scope, ids);
  const work = async () => {
    const verdicts = await decideOn(action, [...found.values()]);
    const targets = [...verdicts.values()].filter(({ code }) => code === null);
    const previewHash = await hashPreview(
      action,
      targets.map(({ workflowId }) => workflowId),
    );
    return { verdicts, targets, previewHash };
  };
  const { verdicts, targets, previewHash } = await inTenant(scope.organizationId, work, { readOnly: true });
  const countOf = (wanted: Partial<Decision>) =>
    targets.filter(({ kind, moved }) => (wanted.kind ?? kind) === kind && (wanted.moved ?? moved) === moved).length;
  return {
    dry_run: true as const,
    action,
    preview_hash: previewHash,
    ids: targets.map(({ workflowId }) => processId(workflowId)),
    by_kind: [...new Set(targets.map(({ kind }) => kind))]
      .toSorted()
      .map((kind) => ({ kind, count: countOf({ kind }) })),
    by_money_moved: {
      yes: countOf({ moved: 'yes' }),
      no: countOf({ moved: 'no' }),
      unknown: countOf({ moved: 'unknown' }),
    },
    left_out: ids.flatMap((id) => {
      const { code, label } = verdicts.get(found.get(id) ?? null) ?? { code: 'gone', label: null };
      return code === null ? [] : [{ id, label, code }];
    }),
  };
}

interface Decision {
  workflowId: string;
  kind: string;
  moved: MoneyMoved;
  /** Why the process is left out; null when it is not. */
  code: string | null;
  label: string;
}

/**
 * Decides on each process whether the bulk action would retry or cancel it, with a few statements a kind. Runs in the
 * tenant.
 */
async function decideOn(action: BulkActionName, found: readonly (Candidate | null)[]) {
  const candidates = found.filter((candidate) => candidate !== null);
  const movedById = await moneyMovedIn(candidates);
  const labels = await readLabels(candidates);
  return new Map<Candidate | null, Decision>(
    candidates.map((candidate) => {
      const { process, workflowId, kind } = candidate;
      const moved = movedById.get(workflowId) ?? 'unknown';
      const verdict = action === 'retry' ? mayRetry(process) : mayCancelInBulk(process, moved);
      const code = verdict.safe ? null : verdict.refusal.code;
      return [candidate, { workflowId, kind, moved, code, label: labels.get(workflowId) ?? process.facts.summary }];
    }),
  );
}

/** Number of processes that are looked up at the same time. */
const CONCURRENCY = 10;

/** Looks up each process, in the order of the ids; null: there is none in scope. */
async function findCandidates(scope: TenantScope, ids: readonly string[]): Promise<Map<string, Candidate | null>> {
  const found = new Map<string, Candidate | null>(ids.map((id) => [id, null]));
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const workflowId = workflowIdOf(id);
      if (workflowId !== null) found.set(id, await findCandidate(scope, workflowId).catch(unlessGone));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return found;
}

async function findCandidate(scope: TenantScope, workflowId: string): Promise<Candidate> {
  const process = await findProcess(scope, workflowId);
  const { facts, execution, waiting } = process;
  const readsInput = execution !== null && facts.money !== 'never';
  const input = readsInput ? await readInput(workflowId, execution.runId) : (waiting?.input ?? null);
  return { process, workflowId, kind: facts.kind, subjectId: subjectOf(process)?.id ?? null, input: input ?? {} };
}

const unlessGone = (error: unknown): null => {
  if (error instanceof Refusal && error.code === refuse.not_found.code) return null;
  throw error;
};
