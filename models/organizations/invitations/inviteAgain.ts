import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { invitationErrors } from './errors.js';
import { sendInvitation, type InvitationSubject } from './sendInvitation.js';

interface RenewableInvitation {
  user_id: string;
  closed: boolean;
}

/**
 * Mails the invitation of a row again, with a new token. A withdrawn invitation is opened again.
 * @param subjectId of a row that the caller has locked
 * @throws Refusal already_invited within a day of the last mail to the address; invitation_closed if the invitation was
 * answered or its membership has ended
 */
export async function inviteAgain(subject: InvitationSubject, subjectId: string): Promise<void> {
  const findInvitation = () =>
    firstRow<RenewableInvitation>(
      `SELECT i.user_id,
              i.state NOT IN ('open', 'withdrawn') OR u.typed_email IS NULL
                OR m.status IN ('inactive', 'disaffiliated') IS TRUE AS closed
         FROM invitations i JOIN users u ON u.id = i.user_id
         LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
        WHERE i.organization_id = $1 AND i.${subject} = $2`,
      [currentOrganization(), subjectId],
    );
  const before = await findInvitation();
  if (!before) throw invitationErrors.invitation_closed();
  // Lock the person before the membership or office, as all transactions do. The lock waits for an acceptance or
  // refusal that is running at the same moment, so the invitation is read again.
  await rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [before.user_id]);
  const locked = await findInvitation();
  if (!locked || locked.closed) throw invitationErrors.invitation_closed();
  if (!(await sendInvitation(subject, subjectId, locked.user_id))) throw invitationErrors.already_invited();
}
