/**
 * Declines invitations. Afterwards, the only data of the invited person that remain are those that the ledger needs.
 */
import { audit } from '../../database/audit.js';
import type { Origin } from '../../database/connection.js';
import { changeRow, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { requireFound } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { findByToken, lockOpenInvitation, type OpenInvitation } from './acceptInvitation.js';
import { invitationErrors } from './errors.js';
import { Invitation } from './Invitation.js';
import { erasePlaceholderUnlessNeeded, lockPlaceholder } from './placeholders.js';

/**
 * Declines the invitation with this mailed token. Opens its own transactions.
 * @throws Refusal invitation_invalid
 */
export async function declineByToken(
  token: string,
  options: { origin: Origin; afterCommit: (outboxIds: string[]) => void },
): Promise<void> {
  const invitation = await findByToken(token);
  const work = async () => {
    if ((await lockOpenInvitation(invitation, hashToken(token))) === null) throw invitationErrors.invitation_invalid();
    await decline(invitation);
  };
  await inTenant(invitation.organization_id, work, options);
}

/**
 * Declines all invitations of the tenant to these addresses, including expired and withdrawn ones that could be
 * renewed, so that the addresses are erased. Repeating it changes nothing.
 */
export async function declineForAddresses(emails: string[]): Promise<void> {
  const findInvitations = () =>
    rows<OpenInvitation>(
      `SELECT i.id, i.organization_id, i.user_id FROM users u
         JOIN invitations i ON i.organization_id = $1 AND i.user_id = u.id
         LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = i.membership_id
        WHERE u.placeholder_in = $1 AND u.typed_email = ANY ($2)
          AND (i.state = 'open' OR i.state = 'withdrawn' AND m.user_id = u.id) ORDER BY i.id`,
      [currentOrganization(), emails],
    );
  for (const { user_id } of await findInvitations()) await lockPlaceholder(user_id);
  for (const invitation of await findInvitations()) await decline(invitation);
}

/**
 * Declines an invitation: the membership ends, or the office is deleted. @param invitation locked by
 * `lockOpenInvitation`
 */
export async function decline({ id, user_id: placeholderId }: OpenInvitation): Promise<void> {
  const changes = { state: 'declined', token_hash: null, closed_at: now } as const;
  const { membership_id, organization_admin_id, regional_admin_id } = requireFound(
    await changeRow(Invitation, id, changes),
  );
  const subject = { membership_id, organization_admin_id, regional_admin_id };
  const after = Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== null));
  await audit({ action: 'invitation.declined', subjectType: 'invitation', subjectId: id, after });
  if (membership_id)
    await changeMembership(
      await lockMembership(membership_id),
      { status: 'inactive' },
      { authority: null, source: 'declined' },
    );
  if (organization_admin_id) await rows('DELETE FROM organization_admins WHERE id = $1', [organization_admin_id]);
  if (regional_admin_id) await rows('DELETE FROM regional_admins WHERE id = $1', [regional_admin_id]);
  await erasePlaceholderUnlessNeeded(placeholderId);
}
