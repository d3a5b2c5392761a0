import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { invitationErrors } from './errors.js';
import { sendInvitation, type Subject } from './sendInvitation.js';

interface Waiting {
  user_id: string;
  closed: boolean;
}

/**
 * Mails the invitation of a waiting row again, with a new token. One that was taken back opens again.
 * @param subjectId of a row that the caller has locked
 * @throws Refusal already_invited within a day of the last mail to the address; invitation_closed where nobody waits to be asked
 */
export async function inviteAgain(subject: Subject, subjectId: string): Promise<void> {
  const find = () =>
    firstRow<Waiting>(
      `SELECT i.user_id,
              i.state NOT IN ('open', 'withdrawn') OR u.typed_email IS NULL
                OR m.status IN ('inactive', 'disaffiliated') IS TRUE AS closed
         FROM invitations i JOIN users u ON u.id = i.user_id
         LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
        WHERE i.organization_id = $1 AND i.${subject} = $2`,
      [currentOrganization(), subjectId],
    );
  const before = await find();
  if (!before) throw invitationErrors.invitation_closed();
  // The person is locked before what is theirs, as everywhere; whoever answers meanwhile is waited for.
  await rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [before.user_id]);
  const waiting = await find();
  if (!waiting || waiting.closed) throw invitationErrors.invitation_closed();
  if (!(await sendInvitation(subject, subjectId, waiting.user_id))) throw invitationErrors.already_invited();
}
