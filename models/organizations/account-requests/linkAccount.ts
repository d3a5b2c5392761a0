import { inSeconds } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { findOrganization } from '../../identity/accounts.js';
import { emailErrors } from '../../identity/emails/errors.js';
import { linkAddress, UNDO_SECONDS } from '../../identity/emails/linkAddress.js';
import { identityErrors } from '../../identity/errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { findKnown } from '../invitations/findPerson.js';
import type { AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { likenessTo, nameThreshold } from './nameMatches.js';

export interface Linking {
  user?: string | undefined;
  notes?: string | undefined;
  confirm_name_mismatch: boolean;
}

/**
 * Makes the address a further one of somebody with a membership here. Whoever reads it opens the whole account: so never an
 * admin's, nor that of somebody who belongs elsewhere too. An address that is the account of somebody unknown here is left
 * as it is, which its reader is told and nobody else.
 * @throws Refusal not_found, invitation_open, link_not_allowed, account_disabled, account_elsewhere, name_mismatch,
 *   email_exists, email_taken, email_limit; validation_error naming user or notes
 */
export async function linkAccount(request: AccountRequest, email: string, { user, notes, ...linking }: Linking) {
  if (user === undefined) throw invalid('user', 'Say whose account it is.');
  // Locked before it is asked where they belong: nobody adds them elsewhere in between.
  await lockPerson(user);
  await requireLinkable(user);
  const threshold = await nameThreshold();
  if (threshold > 0 && (await likenessTo(request, user)) < threshold) {
    if (!linking.confirm_name_mismatch) throw accountRequestErrors.name_mismatch();
    if (notes === undefined) throw invalid('notes', 'Say why they are the same.');
  }
  const known = await findKnown(email);
  if (known === user) throw emailErrors.email_exists('This address is theirs already.');
  if (known !== null) throw emailErrors.email_taken('This address belongs to somebody else here.');
  const organization = found(await findOrganization(currentOrganization()));
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
  const target = found(
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
      'This person belongs to other organizations too: no address is linked here.',
    );
  }
}
