import { currentOrganization, rows, type Statement } from '../database/rows.js';

/** Kinds of requests, and who decides: as the view `waiting_approvals` has them. */
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

/** What waits of one kind, for one of those who decide. */
export interface Approvals {
  kind: (typeof APPROVAL_KINDS)[number];
  tier: (typeof APPROVAL_TIERS)[number];
  count: number;
  oldest_at: string;
}

/**
 * What waits for a decision, in one statement.
 * @param chapters null for all of the organization
 * @param all also what is shown to the organization's admins alone
 */
export async function readApprovals(chapters: string[] | null, all: boolean): Promise<Approvals[]> {
  const { text, values } = approvalsStatement(currentOrganization(), chapters, all);
  return rows<Approvals>(text, values);
}

/** Planned for what is asked: where all of an organization is, its chapters are not looked at. */
export const approvalsStatement = (organizationId: string, chapters: string[] | null, all: boolean): Statement => ({
  text: `SELECT kind, tier, count(*)::int AS count, to_json(min(since)) #>> '{}' AS oldest_at FROM waiting_approvals
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR chapter_id = ANY ($2)) AND ($3 OR shown_in_chapter)
      GROUP BY kind, tier ORDER BY kind, tier`,
  values: [organizationId, chapters, all],
});
