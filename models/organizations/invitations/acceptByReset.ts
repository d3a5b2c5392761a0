import { currentOrganization, firstRow } from '../../database/rows.js';
import {
  joinOrganization,
  lockAccount,
  lockOpenInvitation,
  createInvitedAccount,
  type OpenInvitation,
} from './acceptInvitation.js';

/**
 * Accepts an invitation after a password reset. The reset has verified the mailbox of a person without an account: they
 * get an account and join the organization that owns the placeholder. Runs inside the organization's transaction.
 * @returns false when no invitation is open any more, or the address has an account by now
 * @throws Refusal password_not_kept when the address got an account at the same moment
 */
export async function acceptByReset(placeholderId: string, passwordHash: string): Promise<boolean> {
  const invitation = await firstRow<OpenInvitation>(
    `SELECT id, organization_id, user_id FROM invitations
      WHERE organization_id = $1 AND user_id = $2 AND state = 'open' AND expires_at > now() ORDER BY id DESC LIMIT 1`,
    [currentOrganization(), placeholderId],
  );
  if (!invitation) return false;
  const email = await lockOpenInvitation(invitation, null);
  if (email === null || (await lockAccount(email))) return false;
  await joinOrganization(invitation, await createInvitedAccount(placeholderId, email, passwordHash));
  return true;
}
