import { currentOrganization, rows, type Statement } from '../database/rows.js';

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

/** Pending requests of one kind that one tier decides. */
export interface Approvals {
  kind: (typeof APPROVAL_KINDS)[number];
  tier: (typeof APPROVAL_TIERS)[number];
  count: number;
  oldest_at: string;
}

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
  text: `SELECT kind, tier, count(*)::int AS count, to_json(min(since)) #>> '{}' AS oldest_at FROM waiting_approvals
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR chapter_id = ANY ($2)) AND ($3 OR shown_in_chapter)
      GROUP BY kind, tier ORDER BY kind, tier`,
  values: [organizationId, chapters, all],
});
