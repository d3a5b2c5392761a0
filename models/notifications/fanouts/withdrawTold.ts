import { currentOrganization, rows } from '../../database/rows.js';
import type { NotificationType } from '../types.js';
import { withdrawPage } from './fanOut.js';

/**
 * Takes back what people were told of a subject that is true no more: a page of it. A fan-out of it that runs is called off,
 * and takes back its own.
 * @param keptCause of what stays true; null: nothing does
 * @returns whether there is more
 */
export async function withdrawTold(
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
  return withdrawPage('subject_id = $2 AND notification_type = $3 AND event_id <> $4', [
    subjectId,
    type.name,
    `${type.subject}:${subjectId}:${keptCause ?? ''}`,
  ]);
}
