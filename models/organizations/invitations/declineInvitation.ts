/** Whoever is invited may say no: nothing is left of them but what the ledger needs. */
import { audit } from '../../database/audit.js';
import type { Origin } from '../../database/connection.js';
import { changeRow, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { found } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { findByToken, lockOpen, type OpenInvitation } from './acceptInvitation.js';
import { invitationErrors } from './errors.js';
import { Invitation } from './Invitation.js';
import { forgetUnlessNeeded, lockPlaceholder } from './placeholders.js';

/** Opens its own transactions. @throws Refusal invitation_invalid */
export async function declineByToken(
  token: string,
  options: { origin: Origin; afterCommit: (outboxIds: string[]) => void },
): Promise<void> {
  const invitation = await findByToken(token);
  const work = async () => {
    if ((await lockOpen(invitation, hashToken(token))) === null) throw invitationErrors.invitation_invalid();
    await decline(invitation);
  };
  await inTenant(invitation.organization_id, work, options);
}

/**
 * Answers no to all that the tenant asks of these addresses, also what has expired or may be offered again, so that it
 * forgets them. A second run finds nothing to do.
 */
export async function declineForAddresses(emails: string[]): Promise<void> {
  const find = () =>
    rows<OpenInvitation>(
      `SELECT i.id, i.organization_id, i.user_id FROM users u
         JOIN invitations i ON i.organization_id = $1 AND i.user_id = u.id
         LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = i.membership_id
        WHERE u.placeholder_in = $1 AND u.typed_email = ANY ($2)
          AND (i.state = 'open' OR i.state = 'withdrawn' AND m.user_id = u.id) ORDER BY i.id`,
      [currentOrganization(), emails],
    );
  for (const { user_id } of await find()) await lockPlaceholder(user_id);
  for (const invitation of await find()) await decline(invitation);
}

/** The membership ends, an office goes. @param invitation locked by `lockOpen` */
export async function decline({ id, user_id: placeholderId }: OpenInvitation): Promise<void> {
  const declined = { state: 'declined', token_hash: null, closed_at: now } as const;
  const { membership_id, organization_admin_id, regional_admin_id } = found(await changeRow(Invitation, id, declined));
  const subject = { membership_id, organization_admin_id, regional_admin_id };
  const after = Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== null));
  await audit({ action: 'invitation.declined', subjectType: 'invitation', subjectId: id, after });
  if (membership_id)
    await changeMembership(
      await lockMembership(membership_id),
      { status: 'inactive' },
      { hand: null, source: 'declined' },
    );
  if (organization_admin_id) await rows('DELETE FROM organization_admins WHERE id = $1', [organization_admin_id]);
  if (regional_admin_id) await rows('DELETE FROM regional_admins WHERE id = $1', [regional_admin_id]);
  await forgetUnlessNeeded(placeholderId);
}
