/**
 * The rules by which the foundation erases a person whose account is deleted: roles end, pledges are cancelled, the link
 * from the donor to the account is removed, and bulletins to the member are deleted with the records of their mails. The
 * data of gifts and receipts is kept, as tax law requires.
 */
import { currentOrganization, rows } from '../database/rows.js';
import { endDonorAccess } from './portal/endDonorAccess.js';
import type { Erasure } from '../identity/deletion/erasure.js';
import { eraseRecipients } from './bulletins/eraseRecipients.js';
import { cancelPledgesOfUser } from './pledges/movePledge.js';

const GIFT =
  'Gifts and receipts are kept as tax law requires. A donor needs no account: the link to a deleted account is removed.';

export const foundationErasure: Erasure = {
  erasedColumns: { donors: ['user_id'] },
  retainedColumns: {
    'foundation_admins.user_id': 'Deleted in each organization.',
    'annual_receipt_runs.started_by': 'Who started the run, by id.',
    'foundation_bulletins.started_by': 'Who scheduled or sent the bulletin, by id.',
    'donations.first_name': GIFT,
    'donations.last_name': GIFT,
    'recurring_pledges.first_name': GIFT,
    'recurring_pledges.last_name': GIFT,
    'donors.email': GIFT,
    'donors.first_name': GIFT,
    'donors.last_name': GIFT,
    'donors.phone': GIFT,
    'foundation_bulletin_recipients.user_id': 'Deleted in each organization.',
    'foundation_bulletin_recipients.email': 'Deleted in each organization; that of a donor is kept with their gifts.',
    'foundation_bulletin_optouts.email': 'Kept so that the address gets no bulletin again.',
  },
  inOrganization: async (userId) => ({
    changed:
      (await endRoles(userId)) +
      (await cancelPledgesOfUser(userId)) +
      (await unlinkDonor(userId)) +
      (await eraseRecipients({ column: 'user_id', id: userId })),
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
