import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { unlinkAddress } from '../../identity/emails/linkAddress.js';
import { hashToken } from '../../identity/secretTokens.js';
import { accountRequestErrors } from './errors.js';

/**
 * Removes a linked address from an account, at the request of a person who reads mail at an older address of the
 * account. Everything that was set up through the linked address is removed too.
 * @throws Refusal request_token_invalid
 */
export async function undoLink(token: string): Promise<void> {
  const undone = await firstRow<{ id: string; linked_user_id: string; linked_email_id: string | null }>(
    `UPDATE account_requests SET undo_token_hash = NULL, undo_until = NULL, undone_at = now()
      WHERE organization_id = $1 AND undo_token_hash = $2 AND undo_until > now()
      RETURNING id, linked_user_id, linked_email_id`,
    [currentOrganization(), hashToken(token)],
  );
  if (!undone) throw accountRequestErrors.request_token_invalid();
  const { id, linked_user_id: user, linked_email_id } = undone;
  if (linked_email_id) await unlinkAddress(linked_email_id);
  await audit({ action: 'account_request.undone', subjectType: 'account_request', subjectId: id, after: { user } });
}
