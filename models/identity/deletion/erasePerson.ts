/** The last step of a deletion: erases everything that identifies the person. */
import { rows } from '../../database/rows.js';
import { identityUpstream } from '../upstream.js';
import { closeDeletion, readDeletion } from './beginErasure.js';
import { ERASED_ADDRESS } from './erased.js';
import { provenAddresses } from './eraseInOrganization.js';
import type { Erasure } from './erasure.js';
import { identityErasure } from './identityErasure.js';

/** Returns the erasure rules of all areas. */
export const listErasures = (): Erasure[] => [identityErasure, ...identityUpstream().erasures];

/** Erases the personal data of an account whose deletion has begun. A second run changes nothing. */
export async function erasePerson(deletionId: string): Promise<void> {
  const { user_id: userId, status } = await readDeletion(deletionId);
  if (status === 'erased') return;
  if (status !== 'erasing') throw new Error('This deletion has not begun.');
  // Notices without a user were addressed to a mailbox only. Deletes those that went to one of this person's addresses.
  await rows('DELETE FROM account_notices WHERE user_id IS NULL AND email = ANY ($1)', [await provenAddresses(userId)]);
  await rows(
    `UPDATE users SET email = ${ERASED_ADDRESS}, first_name = 'Deleted', last_name = 'account',
            phone_number = NULL, password_hash = NULL, must_change_password = false, is_platform_admin = false,
            last_organization_id = NULL, disabled_at = coalesce(disabled_at, now())
      WHERE id = $1`,
    [userId],
  );
  for (const { deletedTables: deleted = {} } of listErasures())
    for (const [table, column] of Object.entries(deleted))
      await rows(`DELETE FROM ${table} WHERE ${column} = $1`, [userId]);
  await rows(
    `UPDATE sessions SET user_agent = NULL, ip_address = NULL, provider_name_id = NULL, provider_name_attributes = NULL,
            provider_session = NULL, revoked_at = coalesce(revoked_at, now()) WHERE user_id = $1`,
    [userId],
  );
  await closeDeletion(deletionId, 'erased');
}
