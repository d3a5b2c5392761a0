import { currentOrganization, oneRow } from '../database/rows.js';
import type { OpenWork } from '../organizations/upstream.js';
import { REMITTANCE_STATE } from './remittances/remittance.js';

/**
 * Counts a chapter's finance work that its officers have to do: invoices that the chapter owes, and remittances in
 * draft or flagged for reconciliation.
 */
export async function countOpenWork(chapterId: string): Promise<OpenWork[]> {
  const { invoices, drafts, flagged } = await oneRow<{ invoices: number; drafts: number; flagged: number }>(
    `SELECT (SELECT count(*)::int FROM chapter_invoices i WHERE i.organization_id = $1 AND i.chapter_id = $2
                AND i.payer_type = 'chapter' AND i.status IN ('open', 'partially_paid', 'overdue')) AS invoices,
            (count(*) FILTER (WHERE state.status = 'draft'))::int AS drafts,
            (count(*) FILTER (WHERE state.status = 'needs_reconciliation'))::int AS flagged
       FROM chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE}
      WHERE r.organization_id = $1 AND r.chapter_id = $2`,
    [currentOrganization(), chapterId],
  );
  const remittances = `/api/billing/remittances/?chapter=${chapterId}&status=`;
  return [
    { kind: 'unpaid_chapter_invoices', count: invoices, path: `/api/chapters/${chapterId}/invoices/` },
    { kind: 'draft_remittances', count: drafts, path: `${remittances}draft` },
    { kind: 'flagged_remittances', count: flagged, path: `${remittances}needs_reconciliation` },
  ];
}
