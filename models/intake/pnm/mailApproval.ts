import { currentOrganization, oneRow } from '../../database/rows.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';

interface ApprovalFacts {
  user: string;
  /** Null for a deleted account and for a person who declined an invitation. */
  email: string | null;
  organization: string;
  chapter: string;
}

/**
 * Mails a prospective member that they are approved. The mail goes to the address of their account, or to the address
 * that was entered for them; without either, none is sent.
 */
export async function mailApproval(membershipId: string): Promise<void> {
  const { user, email, ...facts } = await oneRow<ApprovalFacts>(
    `SELECT u.id AS user, ${shownEmail('u')} AS email, o.name AS organization, c.name AS chapter
       FROM memberships m JOIN users u ON u.id = m.user_id
       JOIN organizations o ON o.id = m.organization_id
       JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
  if (email !== null) await writeNotice({ userId: user, kind: 'application_approved', email, facts });
}
