import { currentOrganization, rows } from '../database/rows.js';

/**
 * Deletes all notifications of these subjects: their texts name a person whose data is being erased.
 * @param subjectIds ids of rows of any kind
 */
export async function deleteNotificationsOf(subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return;
  await rows('DELETE FROM notifications WHERE organization_id = $1 AND subject_id = ANY ($2)', [
    currentOrganization(),
    subjectIds,
  ]);
}
