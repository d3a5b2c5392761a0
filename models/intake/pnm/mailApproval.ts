import { currentOrganization, oneRow } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';

/** Mails a prospective member that they are approved, at their own address, else at the one that was typed for them. */
export async function mailApproval(membershipId: string): Promise<void> {
  const { user, email, ...facts } = await oneRow<Record<'user' | 'email' | 'organization' | 'chapter', string>>(
    `SELECT u.id AS user, coalesce(u.email, u.typed_email) AS email, o.name AS organization, c.name AS chapter
       FROM memberships m JOIN users u ON u.id = m.user_id
       JOIN organizations o ON o.id = m.organization_id
       JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
  await writeNotice({ userId: user, kind: 'application_approved', email, facts });
}
