import { currentOrganization, rows } from '../../database/rows.js';
import { forgetSubjects } from '../../notifications/forgetSubjects.js';

/** What was sent with addresses that were somebody's is gone, whatever came of it. @returns how many applications */
export async function forgetApplications(addresses: readonly string[]): Promise<number> {
  const gone = await rows<{ id: string }>(
    'DELETE FROM pnm_applications WHERE organization_id = $1 AND email = ANY ($2) RETURNING id',
    [currentOrganization(), addresses],
  );
  // Others were told in words that name the person.
  await forgetSubjects(gone.map(({ id }) => id));
  return gone.length;
}
