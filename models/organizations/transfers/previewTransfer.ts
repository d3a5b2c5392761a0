import { createHash } from 'node:crypto';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { organizationsUpstream, type MemberAccount } from '../upstream.js';
import { type OpenRequest, openRequestsSql } from '../requests/openRequests.js';
import type { MembershipRole, MembershipStatus, POSITIONS } from '../vocabulary.js';
import type { Move } from './lockMove.js';
import { roleAfterTransfer } from './transferMembership.js';

interface EndingItems {
  terms: { id: string; position: (typeof POSITIONS)[number]; title: string | null }[];
  requests: OpenRequest[];
  planned_terms: { id: string; position: (typeof POSITIONS)[number]; starts_on: string }[];
  scheduled_changes: {
    id: string;
    effective_on: string;
    status: MembershipStatus | null;
    role: MembershipRole | null;
  }[];
}

export interface TransferPreview extends EndingItems {
  membership: string;
  from_chapter: string;
  to_chapter: string;
  effective_on: string;
  status: MembershipStatus;
  role: MembershipRole;
  reopens: string | null;
  account: MemberAccount;
  preview_hash: string;
}

/**
 * Previews a transfer and returns the hash to confirm it with. @param effectiveOn default: today, by the organization's
 * calendar
 */
export async function previewTransfer(move: Move, effectiveOn: string | undefined): Promise<TransferPreview> {
  const { membership, toChapter, reopened } = move;
  const { effective_on, ...ends } = await oneRow<EndingItems & { effective_on: string }>(
    `SELECT coalesce($3::date, app.today())::text AS effective_on,
            (SELECT coalesce(json_agg(t ORDER BY t.id), '[]') FROM (SELECT id, position, title FROM officer_terms
               WHERE organization_id = $1 AND membership_id = $2 AND ended_on IS NULL) t) AS terms,
            (SELECT coalesce(json_agg(r), '[]') FROM (${openRequestsSql('= $2')}) r) AS requests,
            (SELECT coalesce(json_agg(p ORDER BY p.id), '[]') FROM (SELECT id, position, starts_on FROM planned_terms
               WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled') p) AS planned_terms,
            (SELECT coalesce(json_agg(s ORDER BY s.effective_on), '[]') FROM (
               SELECT id, effective_on, status, role FROM membership_scheduled_changes
                WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled') s) AS scheduled_changes`,
    [currentOrganization(), membership.id, effectiveOn ?? null],
  );
  const preview = {
    membership: membership.id,
    from_chapter: membership.chapter_id,
    to_chapter: toChapter,
    effective_on,
    status: membership.status,
    role: roleAfterTransfer(membership),
    reopens: reopened?.id ?? null,
    ...ends,
    account: await organizationsUpstream().readMemberAccount(membership.id),
  };
  const previewed = JSON.stringify([preview, membership.version, reopened?.version ?? null]);
  return { ...preview, preview_hash: createHash('sha256').update(previewed).digest('hex') };
}
