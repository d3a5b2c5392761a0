import { inSeconds } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { findOrganization } from '../../identity/accounts.js';
import { emailErrors } from '../../identity/emails/errors.js';
import { linkAddress, UNDO_SECONDS } from '../../identity/emails/linkAddress.js';
import { identityErrors } from '../../identity/errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { findAccountInTenant } from '../invitations/findPerson.js';
import type { AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { nameSimilarity, nameThreshold } from './nameMatches.js';

export interface LinkDecision {
  user?: string | undefined;
  notes?: string | undefined;
  confirm_name_mismatch: boolean;
}

/**
 * Links the address of a request to the account of a member of this organization. A person who controls the address can
 * then open the whole account. Therefore the account must not be an admin's and must not belong to another organization
 * as well. If the address is already the primary address of an account with no membership or office here, nothing is
 * linked; only a notice is mailed to the address.
 * @throws Refusal not_found, invitation_open, link_not_allowed, account_disabled, account_elsewhere, name_mismatch,
 * email_exists, email_taken, email_limit; validation_error naming user or notes
 */
export async function linkAccount(
  request: AccountRequest,
  email: string,
  { user, notes, ...confirmations }: LinkDecision,
) {
  if (user === undefined)
    throw invalid('user', 'Required for mode link: the id of the user whose account gets the address.');
  // Locks the person before their organizations are read, so that they cannot be added to another organization between
  // this check and the linking.
  await lockPerson(user);
  await requireLinkable(user);
  const minSimilarity = await nameThreshold();
  if (minSimilarity > 0 && (await nameSimilarity(request, user)) < minSimilarity) {
    if (!confirmations.confirm_name_mismatch) throw accountRequestErrors.name_mismatch();
    if (notes === undefined)
      throw invalid('notes', 'Required: explain why the requester and this user are the same person.');
  }
  const ownerId = await findAccountInTenant(email);
  if (ownerId === user) throw emailErrors.email_exists('This account already has this address.');
  if (ownerId !== null) throw emailErrors.email_taken('This address belongs to another member of this organization.');
  const organization = requireFound(await findOrganization(currentOrganization()));
  const undoToken = newToken();
  const linked_email_id = await linkAddress({ userId: user, email, organization, undoToken });
  const kind = linked_email_id === null ? 'account_request_owned' : 'account_request_linked';
  await writeNotice({ userId: null, kind, email, facts: { organization: organization.name } });
  const undo = { undo_token_hash: hashToken(undoToken), undo_until: inSeconds(UNDO_SECONDS) };
  return { linked_user_id: user, linked_email_id, ...undo };
}

interface Target {
  invited: boolean;
  is_admin: boolean;
  disabled: boolean;
  elsewhere: boolean;
}

async function requireLinkable(userId: string): Promise<void> {
  const target = requireFound(
    await firstRow<Target>(
      `SELECT u.placeholder_in IS NOT NULL AS invited, u.disabled_at IS NOT NULL AS disabled,
              app.belongs_elsewhere(u.id, $2) AS elsewhere,
              u.is_platform_admin
                OR EXISTS (SELECT FROM organization_admins a WHERE a.organization_id = $2 AND a.user_id = u.id)
                OR EXISTS (SELECT FROM regional_admins a WHERE a.organization_id = $2 AND a.user_id = u.id) AS is_admin
         FROM users u WHERE u.id = $1
          AND EXISTS (SELECT FROM memberships m WHERE m.organization_id = $2 AND m.user_id = u.id)`,
      [userId, currentOrganization()],
    ),
  );
  if (target.invited) throw identityErrors.invitation_open();
  if (target.is_admin) throw accountRequestErrors.link_not_allowed();
  if (target.disabled) throw identityErrors.account_disabled();
  if (target.elsewhere) {
    throw identityErrors.account_elsewhere(
      'This person also belongs to other organizations, so no address can be linked to the account here.',
    );
  }
}
