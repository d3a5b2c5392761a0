/** Reads and changes the donors that are linked to an account: one for each address with which its person gave. */
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { changeOwnDetails, type OwnDetails } from './changeOwnDetails.js';
import type { SignedInDonor } from './donorSessions.js';

/** Lists the donors of an account, the oldest first. */
export const listOwnDonors = (userId: string): Promise<SignedInDonor[]> =>
  rows<SignedInDonor & Record<string, unknown>>(
    `SELECT id, email, first_name, last_name, is_anonymous FROM donors WHERE organization_id = $1 AND user_id = $2 ORDER BY id`,
    [currentOrganization(), userId],
  );

/** Changes the details of all donors of an account. @throws Refusal not_found without a donor, donor_name_corrected */
export async function changeOwnDonors(
  userId: string,
  change: { [Name in keyof OwnDetails]?: OwnDetails[Name] | undefined },
) {
  const donors = await listOwnDonors(userId);
  if (donors.length === 0) throw refuse.not_found();
  for (const { id, first_name, last_name, is_anonymous } of donors)
    await changeOwnDetails(id, {
      first_name: change.first_name ?? first_name,
      last_name: change.last_name ?? last_name,
      is_anonymous: change.is_anonymous ?? is_anonymous,
    });
}
