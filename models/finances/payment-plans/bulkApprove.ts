/**
 * Approves in bulk all plan requests that are within the organization's limits. If the client sends the hash of a
 * preview, exactly the previewed requests are approved, or none.
 */
import { createHash } from 'node:crypto';
import { planBulkApproval } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstJson, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { OBSTACLE_SQL, REQUEST_JOINS, type SkipReason } from './approvalObstacles.js';
import { PlanBulkApproval } from './PlanBulkApproval.js';

export interface BulkApproval {
  /** Id of the bulk approval; null for a preview. */
  id: string | null;
  status: PlanBulkApproval['status'] | null;
  workflow_id: string | null;
  /** The person who confirmed the bulk approval; null for a preview. */
  requested_by: string | null;
  /** Number of requests, approved or not. */
  total: number;
  done: number;
  /** Ids of approved requests; in a preview, those that would be approved. */
  approved: string[];
  skipped: { id: string; reason: SkipReason }[];
  /** Number of requests not processed yet. */
  remaining: number;
  /** Ids of the requests that were not processed. If the bulk approval ended early, they stay undecided. */
  not_done: string[];
  preview_hash: string;
}

interface Candidate {
  id: string;
  version: number;
  reason: SkipReason | null;
}

/**
 * Reads the pending requests within the organization's limits, each with the reason why it would be skipped.
 * @param chapters chapters of the requests; null: the whole organization
 */
const readCandidates = (userId: string, chapters: string[] | null): Promise<Candidate[]> =>
  rows<Candidate>(
    `SELECT r.id, r.version, ${OBSTACLE_SQL} AS reason FROM ${REQUEST_JOINS}
      WHERE r.organization_id = $1 AND r.status = 'pending' AND r.is_in_policy AND ($3::uuid[] IS NULL OR r.chapter_id = ANY ($3))
      ORDER BY r.freeze_anchor, r.id`,
    [currentOrganization(), userId, chapters],
  );

const hashCandidates = (requests: readonly Candidate[]): string =>
  createHash('sha256')
    .update(JSON.stringify(requests.map(({ id, version, reason }) => [id, version, reason])))
    .digest('hex');

/** Returns which requests would be approved and which skipped, and why. Changes nothing. */
export async function previewBulkApproval(userId: string, chapters: string[] | null): Promise<BulkApproval> {
  const requests = await readCandidates(userId, chapters);
  return {
    id: null,
    status: null,
    workflow_id: null,
    requested_by: null,
    total: requests.length,
    done: 0,
    approved: requests.filter(({ reason }) => reason === null).map(({ id }) => id),
    skipped: requests.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : [])),
    remaining: 0,
    not_done: [],
    preview_hash: hashCandidates(requests),
  };
}

/**
 * Records the requests to approve, and starts the workflow that approves them one by one.
 * @returns the workflow to wait for; null when there is nothing to approve
 * @throws Refusal preview_stale
 */
export async function startBulkApproval(
  userId: string,
  chapters: string[] | null,
  previewHash?: string,
): Promise<{ id: string; workflowId: string | null }> {
  const requests = await readCandidates(userId, chapters);
  const hash = hashCandidates(requests);
  if (previewHash !== undefined && previewHash !== hash) throw refuse.preview_stale();
  const approvableCount = requests.filter(({ reason }) => reason === null).length;
  const { id } = await createRow(PlanBulkApproval, {
    requested_by: userId,
    preview_hash: hash,
    lines_total: requests.length,
    lines_done: requests.length - approvableCount,
    ...(approvableCount === 0 && { status: 'approved', ended_at: now }),
  });
  await rows(
    `INSERT INTO plan_bulk_approval_lines (organization_id, approval_id, request_id, sequence, result)
     SELECT $1, $2, (l.value->>'id')::uuid, l.ordinality, l.value->>'reason' FROM jsonb_array_elements($3) WITH ORDINALITY AS l`,
    [currentOrganization(), id, JSON.stringify(requests)],
  );
  await audit({
    action: 'plan_bulk_approval.started',
    subjectType: 'plan_bulk_approval',
    subjectId: id,
    after: { requests: requests.length, skipped: requests.length - approvableCount },
  });
  return { id, workflowId: approvableCount === 0 ? null : await enqueue(planBulkApproval, { approvalId: id }) };
}

/** Reads the progress, with a result for each processed request; null for an unknown id. */
export const readBulkApproval = (id: string): Promise<BulkApproval | null> =>
  firstJson<BulkApproval>(
    `SELECT a.id, a.status, 'plan-bulk-approval/' || a.id AS workflow_id, a.requested_by, a.lines_total AS total, a.lines_done AS done,
            a.lines_total - a.lines_done AS remaining, a.preview_hash, l.approved, l.skipped, l.not_done
       FROM plan_bulk_approvals a CROSS JOIN LATERAL (
         SELECT coalesce(json_agg(request_id ORDER BY sequence) FILTER (WHERE result = 'approved'), '[]') AS approved,
                coalesce(json_agg(json_build_object('id', request_id, 'reason', result) ORDER BY sequence)
                  FILTER (WHERE result <> 'approved'), '[]') AS skipped,
                coalesce(json_agg(request_id ORDER BY sequence) FILTER (WHERE result IS NULL), '[]') AS not_done
           FROM plan_bulk_approval_lines WHERE organization_id = a.organization_id AND approval_id = a.id) l
      WHERE a.organization_id = $1 AND a.id = $2`,
    [currentOrganization(), id],
  );
