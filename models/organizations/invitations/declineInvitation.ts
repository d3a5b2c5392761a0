/** Whoever is invited may say no: nothing is left of them but what the ledger needs. */
import { audit } from '../../database/audit.js';
import type { Origin } from '../../database/connection.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { hashToken } from '../../identity/secretTokens.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { findByToken, lockOpen, type OpenInvitation } from './acceptInvitation.js';
import { invitationErrors } from './errors.js';
import { forgetUnlessNeeded } from './placeholders.js';

interface Declined {
  membership_id: string | null;
  organization_admin_id: string | null;
  regional_admin_id: string | null;
}

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

/** The membership ends, an office goes. @param invitation locked by `lockOpen` */
export async function decline({ id, user_id: placeholderId }: OpenInvitation): Promise<void> {
  const subject = await oneRow<Declined>(
    `UPDATE invitations SET state = 'declined', token_hash = NULL, closed_at = now()
      WHERE organization_id = $1 AND id = $2 RETURNING membership_id, organization_admin_id, regional_admin_id`,
    [currentOrganization(), id],
  );
  const after = Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== null));
  await audit({ action: 'invitation.declined', subjectType: 'invitation', subjectId: id, after });
  const { membership_id, organization_admin_id, regional_admin_id } = subject;
  if (membership_id) await changeMembership(await lockMembership(membership_id), { status: 'inactive' });
  if (organization_admin_id) await rows('DELETE FROM organization_admins WHERE id = $1', [organization_admin_id]);
  if (regional_admin_id) await rows('DELETE FROM regional_admins WHERE id = $1', [regional_admin_id]);
  await forgetUnlessNeeded(placeholderId);
}
