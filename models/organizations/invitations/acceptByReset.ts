import { currentOrganization, firstRow } from '../../database/rows.js';
import { join, lockAccount, lockOpen, openAccount, type OpenInvitation } from './acceptInvitation.js';

/**
 * The mailbox was proven by a reset that somebody without an account asked for: they get one, and are in the organization
 * whose placeholder the reset was for. Inside of the organization's transaction.
 * @returns false when nothing is open any more, or the address has an account by now
 * @throws Refusal password_not_kept when it got one in the same moment
 */
export async function acceptByReset(placeholderId: string, passwordHash: string): Promise<boolean> {
  const invitation = await firstRow<OpenInvitation>(
    `SELECT id, organization_id, user_id FROM invitations
      WHERE organization_id = $1 AND user_id = $2 AND state = 'open' AND expires_at > now() ORDER BY id DESC LIMIT 1`,
    [currentOrganization(), placeholderId],
  );
  if (!invitation) return false;
  const email = await lockOpen(invitation, null);
  if (email === null || (await lockAccount(email))) return false;
  await join(invitation, await openAccount(placeholderId, email, passwordHash));
  return true;
}
