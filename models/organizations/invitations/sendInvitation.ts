/** An invitation, and the mail with the token that answers it. */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';

/** What somebody is invited to: the column of the row that waits. */
export type Subject = 'membership_id' | 'organization_admin_id' | 'regional_admin_id';

const DAY = 24 * 60 * 60;

/** How long an invitation holds, in seconds: an office gives more away. */
const HOLDS: Record<Subject, number> = {
  membership_id: 30 * DAY,
  organization_admin_id: 7 * DAY,
  regional_admin_id: 7 * DAY,
};

/**
 * Writes or renews the invitation of one waiting row; the token before opens nothing any more. Whether it may be renewed is
 * asked before (`inviteAgain`).
 * @param userId the placeholder that the row has
 * @returns the invitation's id
 */
export async function sendInvitation(subject: Subject, subjectId: string, userId: string): Promise<string> {
  const token = newToken();
  const { id, expires_at } = await oneRow<{ id: string; expires_at: Date }>(
    `INSERT INTO invitations (organization_id, user_id, ${subject}, token_hash, expires_at, invited_by)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', $6)
     ON CONFLICT (organization_id, ${subject}) DO UPDATE
       SET state = 'open', closed_at = NULL, token_hash = excluded.token_hash, expires_at = excluded.expires_at,
           mailed_at = now(), invited_by = excluded.invited_by
     RETURNING id, expires_at`,
    [currentOrganization(), userId, subjectId, hashToken(token), HOLDS[subject], currentScope().origin.userId],
  );
  const until = expires_at.toISOString();
  const { email, ...facts } = await factsOf(id);
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null)) as Record<string, string>;
  await writeNotice({
    userId,
    kind: 'invitation',
    email,
    facts: { ...known, until },
    secret: token,
    expiresInSeconds: HOLDS[subject],
  });
  const after = { [subject]: subjectId, user_id: userId, expires_at: until };
  await audit({ action: 'invitation.sent', subjectType: 'invitation', subjectId: id, after });
  return id;
}

interface Facts {
  email: string;
  organization: string;
  chapter: string | null;
  office: string | null;
  invited_by: string | null;
}

const factsOf = (id: string): Promise<Facts> =>
  oneRow<Facts>(
    `SELECT u.typed_email AS email, o.name AS organization, c.name AS chapter,
            CASE WHEN i.organization_admin_id IS NOT NULL THEN 'Administrator'
                 WHEN i.regional_admin_id IS NOT NULL THEN 'Administrator of the region ' || r.name END AS office,
            by.first_name || ' ' || by.last_name AS invited_by
       FROM invitations i JOIN users u ON u.id = i.user_id JOIN organizations o ON o.id = i.organization_id
       LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
       LEFT JOIN chapters c ON c.organization_id = i.organization_id AND c.id = m.chapter_id
       LEFT JOIN regional_admins ra ON ra.organization_id = i.organization_id AND ra.id = i.regional_admin_id
       LEFT JOIN regions r ON r.organization_id = i.organization_id AND r.id = ra.region_id
       LEFT JOIN users by ON by.id = i.invited_by
      WHERE i.organization_id = $1 AND i.id = $2`,
    [currentOrganization(), id],
  );
