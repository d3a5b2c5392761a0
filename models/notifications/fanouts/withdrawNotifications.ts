import { currentOrganization, rows } from '../../database/rows.js';
import type { NotificationType } from '../types.js';
import { withdrawBatch } from './fanOut.js';

/**
 * Withdraws one batch of a subject's notifications, because the reported fact is no longer true. Also cancels the
 * subject's running fan-outs; each of these withdraws the notifications that it has sent.
 * @param keptCause notifications with this cause stay valid; null withdraws all
 * @returns whether there are more
 */
export async function withdrawNotifications(
  type: NotificationType,
  subjectId: string,
  keptCause: string | null,
): Promise<boolean> {
  await rows(
    `UPDATE notification_fanouts SET status = 'cancelled', closed_at = now()
      WHERE organization_id = $1 AND subject_id = $2 AND notification_type = $3 AND cause IS DISTINCT FROM $4
        AND status = 'running'`,
    [currentOrganization(), subjectId, type.name, keptCause],
  );
  return withdrawBatch('subject_id = $2 AND notification_type = $3 AND event_id <> $4', [
    subjectId,
    type.name,
    `${type.subject}:${subjectId}:${keptCause ?? ''}`,
  ]);
}
