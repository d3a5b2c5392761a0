import { limitOf, type Page, type PageRequest, requirePage } from '../database/page.js';
import { currentOrganization, oneRow, rows, type Statement } from '../database/rows.js';

/** Kinds of requests and the tiers that decide them, as in the view `waiting_approvals`. */
export const APPROVAL_KINDS = [
  'account',
  'member_add',
  'status_change',
  'transfer',
  'hand_over',
  'pnm_name',
  'refund',
  'plan',
] as const;
export const APPROVAL_TIERS = ['officer', 'regional', 'regional_or_organization', 'organization'] as const;

export type ApprovalKind = (typeof APPROVAL_KINDS)[number];
export type ApprovalTier = (typeof APPROVAL_TIERS)[number];

/** Pending requests of one kind that one tier decides. */
export interface Approvals {
  kind: ApprovalKind;
  tier: ApprovalTier;
  count: number;
  oldest_at: string;
}

/** SQL: the requests of organization `$1` that readers of the chapters `$2` see; `$3` as `all` of `readApprovals`. */
const VISIBLE = `a.organization_id = $1 AND ($2::uuid[] IS NULL OR a.chapter_id = ANY ($2)) AND ($3 OR a.shown_in_chapter)`;

/**
 * Counts pending requests, in one statement.
 * @param chapters null for all of the organization
 * @param all whether to include requests that only the organization's admins see
 */
export async function readApprovals(chapters: string[] | null, all: boolean): Promise<Approvals[]> {
  const { text, values } = approvalsStatement(currentOrganization(), chapters, all);
  return rows<Approvals>(text, values);
}

/** Returns the statement of `readApprovals`. If `chapters` is null, the statement is not limited to chapters. */
export const approvalsStatement = (organizationId: string, chapters: string[] | null, all: boolean): Statement => ({
  text: `SELECT kind, tier, count(*)::int AS count, to_json(min(since)) #>> '{}' AS oldest_at FROM waiting_approvals a
      WHERE ${VISIBLE} GROUP BY kind, tier ORDER BY kind, tier`,
  values: [organizationId, chapters, all],
});

/** One pending request. */
export interface Approval {
  kind: ApprovalKind;
  id: string;
  tier: ApprovalTier;
  chapter: string | null;
  chapter_name: string | null;
  /** The person who may not decide it: the requester, or the member whom a plan request is about. */
  requested_by: string | null;
  /** Contains no amounts. */
  title: string;
  since: string;
  /** When a refund request expires, or when the freeze of a plan request ends. */
  expires_at: string | null;
  /** Address of an account request; null for other kinds. */
  email: string | null;
  /** The membership that a transfer request is about; null for other kinds. */
  membership_id: string | null;
}

export interface ApprovalsRequest extends PageRequest {
  /** As in `readApprovals`. */
  chapters: string[] | null;
  all: boolean;
  kind: ApprovalKind | undefined;
  chapter: string | undefined;
  /** SQL over `waiting_approvals a`. */
  orderBy: string;
}

/**
 * Lists pending requests in one statement. Titles are computed for the rows of the page only, after sorting.
 * @throws Refusal page_not_found
 */
export async function listApprovals({ chapters, all, kind, chapter, orderBy, ...request }: ApprovalsRequest) {
  const filters = [currentOrganization(), chapters, all, kind ?? null, chapter ?? null];
  const where = `${VISIBLE} AND ($4::text IS NULL OR a.kind = $4) AND ($5::uuid IS NULL OR a.chapter_id = $5)`;
  const { limit, values } = limitOf(request, filters);
  const list = await oneRow<Page<Approval>>(
    `WITH page AS MATERIALIZED (
       SELECT a.kind, a.id, a.tier, a.chapter_id, a.requested_by, a.since,
              row_number() OVER (ORDER BY ${orderBy}, a.id) AS position
         FROM waiting_approvals a WHERE ${where} ORDER BY position ${limit})
     SELECT (SELECT count(*)::int FROM waiting_approvals a WHERE ${where}) AS count,
            (SELECT coalesce(json_agg(to_jsonb(r) - 'position' ORDER BY r.position), '[]') FROM (
               SELECT p.kind, p.id, p.tier, p.chapter_id AS chapter, c.name AS chapter_name, p.requested_by,
                      d.title, p.since, d.expires_at, p.position,
                      CASE p.kind WHEN 'account' THEN (SELECT q.email FROM account_requests q
                        WHERE q.organization_id = $1 AND q.id = p.id) END AS email,
                      CASE p.kind WHEN 'transfer' THEN (SELECT q.membership_id FROM transfer_requests q
                        WHERE q.organization_id = $1 AND q.id = p.id) END AS membership_id
                 FROM page p
                 JOIN (SELECT a.id, a.title, a.expires_at FROM waiting_approvals a
                        WHERE a.organization_id = $1 AND a.id = ANY (ARRAY(SELECT id FROM page))) d ON d.id = p.id
                 LEFT JOIN chapters c ON c.organization_id = $1 AND c.id = p.chapter_id) r) AS results`,
    values,
  );
  requirePage(request.page, list.results);
  return list;
}
