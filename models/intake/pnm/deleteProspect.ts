import { currentOrganization, rows } from '../../database/rows.js';
import { deleteNotificationsOf } from '../../notifications/deleteNotificationsOf.js';

/**
 * Deletes the intake profiles of a person with all rows that depend on them. The person's crossings stay.
 * @returns the number of profiles
 */
export async function deleteProspect(userId: string): Promise<number> {
  const values = [currentOrganization(), userId];
  const OF_PERSON = `SELECT p.id FROM pnm_profiles p JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
    WHERE p.organization_id = $1 AND m.user_id = $2`;
  const subjects = await rows<{ id: string }>(
    `SELECT id FROM pnm_name_assignments WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})
     UNION ALL SELECT id FROM pnm_applications WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})
     UNION ALL SELECT id FROM pnm_reference_letters WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})`,
    values,
  );
  // Deletes notifications to other people as well, because they contain the person's name.
  await deleteNotificationsOf(subjects.map(({ id }) => id));
  return (
    await rows(`DELETE FROM pnm_profiles WHERE organization_id = $1 AND id IN (${OF_PERSON}) RETURNING id`, values)
  ).length;
}
