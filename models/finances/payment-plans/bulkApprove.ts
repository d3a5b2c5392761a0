/** All that keeps to the organization's limits, granted in one go: exactly as previewed, where that is said. */
import { createHash } from 'node:crypto';
import { planBulkApproval } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstJson, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { IN_THE_WAY, REQUESTS, type Skipped } from './inTheWay.js';
import { PlanBulkApproval } from './PlanBulkApproval.js';

export interface BulkApproval {
  /** null: of a preview. */
  id: string | null;
  status: PlanBulkApproval['status'] | null;
  workflow_id: string | null;
  /** Who confirmed it. */
  requested_by: string | null;
  /** Requests, granted or not. */
  total: number;
  done: number;
  /** Of a preview those that would be. */
  approved: string[];
  skipped: { id: string; reason: Skipped }[];
  /** Nobody has come to them yet. */
  remaining: number;
  /** The ids of these requests. After an early end they stay undecided. */
  not_done: string[];
  preview_hash: string;
}

interface Candidate {
  id: string;
  version: number;
  reason: Skipped | null;
}

/** @param chapters null: all of the organization */
const candidates = (userId: string, chapters: string[] | null): Promise<Candidate[]> =>
  rows<Candidate>(
    `SELECT r.id, r.version, ${IN_THE_WAY} AS reason FROM ${REQUESTS}
      WHERE r.organization_id = $1 AND r.status = 'pending' AND r.is_in_policy AND ($3::uuid[] IS NULL OR r.chapter_id = ANY ($3))
      ORDER BY r.freeze_anchor, r.id`,
    [currentOrganization(), userId, chapters],
  );

const hashOf = (found: readonly Candidate[]): string =>
  createHash('sha256')
    .update(JSON.stringify(found.map(({ id, version, reason }) => [id, version, reason])))
    .digest('hex');

/** What would be granted, and what not and why. Changes nothing. */
export async function previewBulkApproval(userId: string, chapters: string[] | null): Promise<BulkApproval> {
  const found = await candidates(userId, chapters);
  return {
    id: null,
    status: null,
    workflow_id: null,
    requested_by: null,
    total: found.length,
    done: 0,
    approved: found.filter(({ reason }) => reason === null).map(({ id }) => id),
    skipped: found.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : [])),
    remaining: 0,
    not_done: [],
    preview_hash: hashOf(found),
  };
}

/**
 * Writes down what is to be granted, and starts the process that grants it, each request by itself.
 * @returns the process to wait for; null where there is nothing to grant
 * @throws Refusal preview_stale
 */
export async function startBulkApproval(
  userId: string,
  chapters: string[] | null,
  previewHash?: string,
): Promise<{ id: string; workflowId: string | null }> {
  const found = await candidates(userId, chapters);
  const hash = hashOf(found);
  if (previewHash !== undefined && previewHash !== hash) throw refuse.preview_stale();
  const waiting = found.filter(({ reason }) => reason === null).length;
  const { id } = await createRow(PlanBulkApproval, {
    requested_by: userId,
    preview_hash: hash,
    lines_total: found.length,
    lines_done: found.length - waiting,
    ...(waiting === 0 && { status: 'approved', ended_at: now }),
  });
  await rows(
    `INSERT INTO plan_bulk_approval_lines (organization_id, approval_id, request_id, sequence, result)
     SELECT $1, $2, (l.value->>'id')::uuid, l.ordinality, l.value->>'reason' FROM jsonb_array_elements($3) WITH ORDINALITY AS l`,
    [currentOrganization(), id, JSON.stringify(found)],
  );
  await audit({
    action: 'plan_bulk_approval.started',
    subjectType: 'plan_bulk_approval',
    subjectId: id,
    after: { requests: found.length, skipped: found.length - waiting },
  });
  return { id, workflowId: waiting === 0 ? null : await enqueue(planBulkApproval, { approvalId: id }) };
}

/** How far it has come, with a result for each request that somebody has come to; null: there is none. */
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
