/** An invitation, and the mail with the token that answers it. */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';

/** What somebody is invited to: the column of the row that waits. */
export type Subject = 'membership_id' | 'organization_admin_id' | 'regional_admin_id';

const DAY = 24 * 60 * 60;
const CLEARED_AT_ONCE = 100;

/** How long an invitation holds, in seconds: an office gives more away. */
const HOLDS: Record<Subject, number> = {
  membership_id: 30 * DAY,
  organization_admin_id: 7 * DAY,
  regional_admin_id: 7 * DAY,
};

/**
 * Writes or renews the invitation of one waiting row; the token before opens nothing any more. Whether it may be renewed is
 * asked before (`inviteAgain`). An organization mails an address once a day, whatever it offers and however often it takes
 * that back: the invitation is there all the same, and is accepted with whatever else was mailed, or mailed another day.
 * @param userId the placeholder that the row has
 * @returns whether it was mailed
 */
export async function sendInvitation(subject: Subject, subjectId: string, userId: string): Promise<boolean> {
  const token = newToken();
  const mails = await claimMailOfTheDay(userId);
  const { id, expires_at } = await oneRow<{ id: string; expires_at: Date }>(
    `INSERT INTO invitations (organization_id, user_id, ${subject}, token_hash, expires_at, invited_by, mailed_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', $6, CASE WHEN $7 THEN now() END)
     ON CONFLICT (organization_id, ${subject}) DO UPDATE
       SET state = 'open', closed_at = NULL, token_hash = excluded.token_hash, expires_at = excluded.expires_at,
           mailed_at = excluded.mailed_at, invited_by = excluded.invited_by
     RETURNING id, expires_at`,
    [currentOrganization(), userId, subjectId, hashToken(token), HOLDS[subject], currentScope().origin.userId, mails],
  );
  const until = expires_at.toISOString();
  if (mails) await mailInvitation(id, userId, { until, token, expiresInSeconds: HOLDS[subject] });
  const after = { [subject]: subjectId, user_id: userId, expires_at: until, mailed: mails };
  await audit({ action: 'invitation.sent', subjectType: 'invitation', subjectId: id, after });
  return mails;
}

const ADDRESS_HASH = `encode(sha256(convert_to(u.typed_email, 'UTF8')), 'hex')`;
const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL of whether the address of the placeholder `u` has had the mail of the day from the organization `$1`. */
export const MAILED_TODAY = `EXISTS (SELECT FROM invitation_mails mail
  WHERE mail.organization_id = $1 AND mail.address_hash = ${ADDRESS_HASH} AND mail.mailed_at > ${A_DAY_AGO})`;

/**
 * Counted by the address, since whoever takes an invitation back and writes it anew has another row, or another
 * placeholder. Of two at once one gets it.
 */
async function claimMailOfTheDay(userId: string): Promise<boolean> {
  const claimed = await firstRow(
    `INSERT INTO invitation_mails AS mail (organization_id, address_hash)
     SELECT $1, ${ADDRESS_HASH} FROM users u WHERE id = $2
     ON CONFLICT ON CONSTRAINT invitation_mails_unique DO UPDATE SET mailed_at = now()
        WHERE mail.mailed_at <= ${A_DAY_AGO}
     RETURNING id`,
    [currentOrganization(), userId],
  );
  // After the claim, so that of two no one waits for what the other clears.
  await rows(
    `DELETE FROM invitation_mails WHERE organization_id = $1 AND id IN (SELECT id FROM invitation_mails
        WHERE organization_id = $1 AND mailed_at <= ${A_DAY_AGO}
        ORDER BY mailed_at LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [currentOrganization()],
  );
  return claimed !== null;
}

interface Mail {
  until: string;
  token: string;
  expiresInSeconds: number;
}

async function mailInvitation(id: string, userId: string, { until, token, expiresInSeconds }: Mail): Promise<void> {
  const { email, ...facts } = await factsOf(id);
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null)) as Record<string, string>;
  await writeNotice({
    userId,
    kind: 'invitation',
    email,
    facts: { ...known, until },
    secret: token,
    expiresInSeconds,
  });
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
