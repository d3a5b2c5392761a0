/** Confirms the preview of a bulk action: records its targets, and starts its process. */
import { createHash } from 'node:crypto';
import { bulkAction, factsByWorkflowId, type ProcessFacts } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { BulkActionName } from './ProcessBulkAction.js';

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const digestTargets = (action: BulkActionName, workflowIds: readonly string[]): string =>
  digestOf([currentOrganization(), action, workflowIds.toSorted()]);

/**
 * Returns the hash that confirms a bulk action on these processes. It is used once: after a bulk action on exactly these
 * processes, the next preview has another hash.
 */
export const hashPreview = (action: BulkActionName, workflowIds: readonly string[]): Promise<string> =>
  nextHash(digestTargets(action, workflowIds));

async function nextHash(targetsDigest: string): Promise<string> {
  const { earlier } = await oneRow<{ earlier: number }>(
    'SELECT count(*)::int AS earlier FROM process_bulk_actions WHERE organization_id = $1 AND targets_digest = $2',
    [currentOrganization(), targetsDigest],
  );
  return digestOf([targetsDigest, earlier]);
}

export interface NewBulkAction {
  action: BulkActionName;
  workflowIds: readonly string[];
  previewHash: string;
  reason: string;
  userId: string;
  /** Kinds that the person may retry and cancel; null: all kinds. */
  kinds: ReadonlySet<string> | null;
}

/**
 * Starts a bulk action on exactly the processes of a preview. A preview that was already confirmed returns its bulk
 * action.
 * @throws Refusal preview_stale when these are other processes
 */
export async function startBulkAction(request: NewBulkAction): Promise<{ id: string; repeated: boolean }> {
  const { action, workflowIds, previewHash, reason, userId } = request;
  const targetsDigest = digestTargets(action, workflowIds);
  const next = await nextHash(targetsDigest);
  // Looked up after the hash: if another request has confirmed this preview meanwhile, it is found.
  const earlier = await findRepeated(previewHash, targetsDigest);
  if (earlier) return earlier;
  if (previewHash !== next) throw refuse.preview_stale();
  const created = await firstRow<{ id: string }>(
    `INSERT INTO process_bulk_actions (organization_id, action, reason, requested_by, audiences, targets_digest, preview_hash, targets_total)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, preview_hash) DO NOTHING RETURNING id`,
    [
      currentOrganization(),
      action,
      reason,
      userId,
      audiencesOf(request),
      targetsDigest,
      previewHash,
      workflowIds.length,
    ],
  );
  // Another request confirmed the same preview at the same time.
  if (!created) return startBulkAction(request);
  const { id } = created;
  await rows(
    `INSERT INTO process_bulk_action_targets (organization_id, bulk_action_id, sequence, workflow_id)
     SELECT $1, $2, t.sequence, t.workflow_id FROM unnest($3::text[]) WITH ORDINALITY AS t (workflow_id, sequence)`,
    [currentOrganization(), id, workflowIds],
  );
  await audit({
    action: 'process_bulk_action.started',
    subjectType: 'process_bulk_action',
    subjectId: id,
    after: { action, targets: workflowIds.length, reason },
  });
  await enqueue(bulkAction, { bulkActionId: id });
  return { id, repeated: false };
}

/**
 * Returns the bulk action that already confirmed this preview; null if there is none.
 * @throws Refusal preview_stale when it has other processes
 */
async function findRepeated(
  previewHash: string,
  targetsDigest: string,
): Promise<{ id: string; repeated: true } | null> {
  const found = await firstRow<{ id: string; targets_digest: string }>(
    'SELECT id, targets_digest FROM process_bulk_actions WHERE organization_id = $1 AND preview_hash = $2',
    [currentOrganization(), previewHash],
  );
  if (found && found.targets_digest !== targetsDigest) throw refuse.preview_stale();
  return found && { id: found.id, repeated: true };
}

type Audience = ProcessFacts['seenBy'];

/** Returns who sees the kinds of the targets. Targets of kinds that the person does not reach do not count. */
function audiencesOf({ workflowIds, kinds }: NewBulkAction): Audience[] {
  const reached = workflowIds.flatMap((workflowId) => {
    const facts = factsByWorkflowId(workflowId);
    return facts && (kinds?.has(facts.kind) ?? true) ? [facts.seenBy] : [];
  });
  return reached.length > 0 ? [...new Set(reached)] : ['organization'];
}
