import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';

/** SQL over dispute `d`: whether its administrators are to be reminded now that evidence is due within three days. Each day that the provider names is told once. */
export const WANTS_EVIDENCE = `(d.status = 'open' AND d.evidence_due_at BETWEEN now() AND now() + interval '3 days'
  AND d.reminded_for IS DISTINCT FROM d.evidence_due_at)`;

/** Tells the administrators of disputes whose evidence is due soon. @returns of how many */
export async function remindOfEvidence(): Promise<number> {
  const due = await rows<{ id: string; until: string }>(
    `UPDATE payment_disputes d SET reminded_for = d.evidence_due_at
      WHERE d.organization_id = $1 AND ${WANTS_EVIDENCE} RETURNING d.id, d.evidence_due_at::text AS until`,
    [currentOrganization()],
  );
  for (const { id, until } of due)
    await notify(told.dispute_evidence_due, [id], {
      cause: `${told.dispute_evidence_due.cause}:${until}`,
      actor: null,
    });
  return due.length;
}
