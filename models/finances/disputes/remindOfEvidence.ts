import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/**
 * SQL: whether to remind administrators of dispute `d`, because evidence is due within three days. Each due date is
 * notified once.
 */
export const IS_EVIDENCE_DUE_SOON = `(d.status = 'open' AND d.evidence_due_at BETWEEN now() AND now() + interval '3 days'
  AND d.reminded_for IS DISTINCT FROM d.evidence_due_at)`;

/** Notifies the administrators of disputes whose evidence is due soon. @returns the number of disputes */
export async function remindOfEvidence(): Promise<number> {
  const due = await rows<{ id: string; until: string }>(
    `UPDATE payment_disputes d SET reminded_for = d.evidence_due_at
      WHERE d.organization_id = $1 AND ${IS_EVIDENCE_DUE_SOON} RETURNING d.id, d.evidence_due_at::text AS until`,
    [currentOrganization()],
  );
  for (const { id, until } of due)
    await notify(notifications.dispute_evidence_due, [id], {
      cause: `${notifications.dispute_evidence_due.cause}:${until}`,
      actor: null,
    });
  return due.length;
}
