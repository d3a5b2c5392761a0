import { currentOrganization, rows } from '../../database/rows.js';
import { forgetSubjects } from '../../notifications/forgetSubjects.js';

/** What somebody said of themselves to an organization that they were to join is gone; that they crossed stays. @returns how many profiles */
export async function forgetProspect(userId: string): Promise<number> {
  const values = [currentOrganization(), userId];
  const OF_PERSON = `SELECT p.id FROM pnm_profiles p JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
    WHERE p.organization_id = $1 AND m.user_id = $2`;
  const named = await rows<{ id: string }>(
    `SELECT id FROM pnm_name_assignments WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})
     UNION ALL SELECT id FROM pnm_applications WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})
     UNION ALL SELECT id FROM pnm_reference_letters WHERE organization_id = $1 AND profile_id IN (${OF_PERSON})`,
    values,
  );
  // Others were told in words that name the person.
  await forgetSubjects(named.map(({ id }) => id));
  return (
    await rows(`DELETE FROM pnm_profiles WHERE organization_id = $1 AND id IN (${OF_PERSON}) RETURNING id`, values)
  ).length;
}
