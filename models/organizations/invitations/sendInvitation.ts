/** Creates invitations and mails their tokens. */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';

/** The column of invitations that refers to the offered membership or office. */
export type InvitationSubject = 'membership_id' | 'organization_admin_id' | 'regional_admin_id';

const DAY_SECONDS = 24 * 60 * 60;
const DELETE_BATCH_SIZE = 100;

/** Lifetime of an invitation in seconds. Offices have a shorter one, because they give more rights. */
const LIFETIME_SECONDS: Record<InvitationSubject, number> = {
  membership_id: 30 * DAY_SECONDS,
  organization_admin_id: 7 * DAY_SECONDS,
  regional_admin_id: 7 * DAY_SECONDS,
};

/**
 * Creates or renews the invitation to one membership or office; an earlier token becomes invalid. The caller checks
 * whether it may be renewed (`inviteAgain`). An organization mails each address at most once a day, even if it
 * withdraws and repeats invitations. An invitation without a mail is valid all the same: the person accepts it together
 * with another invitation that was mailed, or it is mailed on a later day.
 * @param userId the placeholder of the membership or office
 * @returns whether it was mailed
 */
export async function sendInvitation(subject: InvitationSubject, subjectId: string, userId: string): Promise<boolean> {
  const token = newToken();
  const mayMail = await claimMailOfTheDay(userId);
  const { id, expires_at } = await oneRow<{ id: string; expires_at: Date }>(
    `INSERT INTO invitations (organization_id, user_id, ${subject}, token_hash, expires_at, invited_by, mailed_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', $6, CASE WHEN $7 THEN now() END)
     ON CONFLICT (organization_id, ${subject}) DO UPDATE
       SET state = 'open', closed_at = NULL, token_hash = excluded.token_hash, expires_at = excluded.expires_at,
           mailed_at = excluded.mailed_at, invited_by = excluded.invited_by
     RETURNING id, expires_at`,
    [
      currentOrganization(),
      userId,
      subjectId,
      hashToken(token),
      LIFETIME_SECONDS[subject],
      currentScope().origin.userId,
      mayMail,
    ],
  );
  const until = expires_at.toISOString();
  if (mayMail) await mailInvitation(id, userId, { until, token, expiresInSeconds: LIFETIME_SECONDS[subject] });
  const after = { [subject]: subjectId, user_id: userId, expires_at: until, mailed: mayMail };
  await audit({ action: 'invitation.sent', subjectType: 'invitation', subjectId: id, after });
  return mayMail;
}

const ADDRESS_HASH = `encode(sha256(convert_to(u.typed_email, 'UTF8')), 'hex')`;
const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL: whether organization `$1` has mailed the address of placeholder `u` within the last day. */
export const MAILED_TODAY = `EXISTS (SELECT FROM invitation_mails mail
  WHERE mail.organization_id = $1 AND mail.address_hash = ${ADDRESS_HASH} AND mail.mailed_at > ${A_DAY_AGO})`;

/**
 * Claims the one mail per day of an address. It is counted by address, because an invitation that is withdrawn and
 * repeated has another row or another placeholder. Of two concurrent claims, one succeeds.
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
  // Delete old rows only after the claim, so that concurrent transactions do not wait for each other's deletions.
  await rows(
    `DELETE FROM invitation_mails WHERE organization_id = $1 AND id IN (SELECT id FROM invitation_mails
        WHERE organization_id = $1 AND mailed_at <= ${A_DAY_AGO}
        ORDER BY mailed_at LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
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
  const { email, ...facts } = await readMailFacts(id);
  const presentFacts = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null)) as Record<
    string,
    string
  >;
  await writeNotice({
    userId,
    kind: 'invitation',
    email,
    facts: { ...presentFacts, until },
    secret: token,
    expiresInSeconds,
  });
}

interface MailFacts {
  email: string;
  organization: string;
  chapter: string | null;
  office: string | null;
  invited_by: string | null;
}

const readMailFacts = (id: string): Promise<MailFacts> =>
  oneRow<MailFacts>(
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
