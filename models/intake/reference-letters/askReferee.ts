import { editRow, now } from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import type { ReferenceLetter } from './ReferenceLetter.js';

interface RequestFacts {
  organization: string;
  slug: string;
  applicant: string;
  seconds: number;
}

/**
 * Mails the referee of a locked letter a new link. Earlier links stay valid, because referees may use any of the mails.
 * @param reminders the number of reminders due so far if this mail is a reminder; otherwise omitted
 */
export async function askReferee(letter: ReferenceLetter, reminders = letter.reminders): Promise<void> {
  const token = newToken();
  await rows('INSERT INTO pnm_reference_letter_tokens (organization_id, letter_id, token_hash) VALUES ($1, $2, $3)', [
    currentOrganization(),
    letter.id,
    hashToken(token),
  ]);
  const { seconds, ...facts } = await oneRow<RequestFacts>(
    `SELECT o.name AS organization, o.slug, u.first_name || ' ' || u.last_name AS applicant,
            greatest(1, extract(epoch FROM l.expires_at - now()))::int AS seconds
       FROM pnm_reference_letters l
       JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = l.profile_id
       JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
       JOIN users u ON u.id = m.user_id
       JOIN organizations o ON o.id = $1
      WHERE l.organization_id = $1 AND l.id = $2`,
    [currentOrganization(), letter.id],
  );
  const notice_id = await writeNotice({
    userId: null,
    kind: noticeOf(letter),
    email: letter.email,
    // The letter's id, by which a trigger withdraws the unsent mail when the letter is no longer expected
    // (`end_letter_mail.sql`).
    facts: { ...facts, about: letter.id },
    secret: token,
    expiresInSeconds: seconds,
  });
  await editRow(letter, { asked_at: now, notice_id, reminders });
}

function noticeOf({ asked_at, file_refused_at }: ReferenceLetter) {
  if (asked_at !== null) return 'reference_letter_reminder';
  return file_refused_at === null ? 'reference_letter_requested' : 'reference_letter_refused';
}
