/**
 * The rules by which the foundation erases a person whose account is deleted: roles end, and the link from the donor to
 * the account is removed. The data of gifts and receipts is kept, as tax law requires.
 */
import { currentOrganization, rows } from '../database/rows.js';
import { endDonorAccess } from './portal/endDonorAccess.js';
import type { Erasure } from '../identity/deletion/erasure.js';

const GIFT =
  'Gifts and receipts are kept as tax law requires. A donor needs no account: the link to a deleted account is removed.';

export const foundationErasure: Erasure = {
  erasedColumns: { donors: ['user_id'] },
  retainedColumns: {
    'foundation_admins.user_id': 'Deleted in each organization.',
    'donations.first_name': GIFT,
    'donations.last_name': GIFT,
    'donors.email': GIFT,
    'donors.first_name': GIFT,
    'donors.last_name': GIFT,
    'donors.phone': GIFT,
  },
  inOrganization: async (userId) => ({
    changed: (await endRoles(userId)) + (await unlinkDonor(userId)),
  }),
};

/**
 * Ends the person's roles in the foundation. Runs after memberships and offices have ended, so that the deletion is not
 * refused because the person is the foundation's only admin.
 */
const endRoles = async (userId: string): Promise<number> =>
  (
    await rows('DELETE FROM foundation_admins WHERE organization_id = $1 AND user_id = $2 RETURNING id', [
      currentOrganization(),
      userId,
    ])
  ).length;

/** Unlinks the person's donor, and ends the donor's links and sessions. */
async function unlinkDonor(userId: string): Promise<number> {
  const donors = await rows<{ id: string }>(
    'UPDATE donors SET user_id = NULL WHERE organization_id = $1 AND user_id = $2 RETURNING id',
    [currentOrganization(), userId],
  );
  await endDonorAccess(donors.map(({ id }) => id));
  return donors.length;
}
