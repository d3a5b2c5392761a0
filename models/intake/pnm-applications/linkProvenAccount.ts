import { Refusal } from '../../errors.js';
import { identityErrors } from '../../identity/errors.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { lockAccount } from '../../organizations/invitations/acceptInvitation.js';
import { lockPlaceholder } from '../../organizations/invitations/placeholders.js';
import { replacePlaceholder } from '../../organizations/invitations/replacePlaceholder.js';

/**
 * Links the prospective member to the account that has the confirmed address. Without such an account, the person stays
 * a placeholder until they become a member and choose a password, because opening a link must not create an account.
 */
export async function linkProvenAccount(email: string, profileId: string): Promise<void> {
  const { user_id } = await oneRow<{ user_id: string }>(
    `SELECT m.user_id FROM pnm_profiles p JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
      WHERE p.organization_id = $1 AND p.id = $2`,
    [currentOrganization(), profileId],
  );
  if (!(await isPlaceholder(user_id))) return;
  await lockPlaceholder(user_id);
  const account = await lockAccount(email).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === identityErrors.account_disabled.code) return null;
    throw error;
  });
  if (account) await replacePlaceholder(user_id, account.id);
}
