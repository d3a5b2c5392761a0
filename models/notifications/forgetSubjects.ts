import { currentOrganization, rows } from '../database/rows.js';

/**
 * What anybody was told of these subjects is gone: its words name a person who is erased.
 * @param subjectIds ids of rows, of whatever kind
 */
export async function forgetSubjects(subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return;
  await rows('DELETE FROM notifications WHERE organization_id = $1 AND subject_id = ANY ($2)', [
    currentOrganization(),
    subjectIds,
  ]);
}
