import { currentOrganization, rows } from '../../database/rows.js';
import { deleteNotificationsOf } from '../../notifications/deleteNotificationsOf.js';

/** Deletes all applications that were sent with the addresses of a person. @returns the number of applications */
export async function deleteApplications(addresses: readonly string[]): Promise<number> {
  const deleted = await rows<{ id: string }>(
    'DELETE FROM pnm_applications WHERE organization_id = $1 AND email = ANY ($2) RETURNING id',
    [currentOrganization(), addresses],
  );
  // Deletes notifications to other people as well, because they contain the applicant's name.
  await deleteNotificationsOf(deleted.map(({ id }) => id));
  return deleted.length;
}
