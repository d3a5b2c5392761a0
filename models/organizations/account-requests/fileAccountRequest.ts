/** A stranger asks for an account. Nobody looks at whose address it is: the work is the same for all. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { normalizeEmail } from '../../identity/accounts.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { chapterExists, requireActiveChapter } from '../chapters.js';
import type { AskedOrganization } from './publicOrganization.js';

export const VERIFICATION_SECONDS = 24 * 60 * 60;
const CLEARED_AT_ONCE = 100;

export interface AskedAccount {
  email: string;
  first_name: string;
  last_name: string;
  phone_number?: string | null | undefined;
  chapter?: string | null | undefined;
  justification: string;
}

/**
 * One request is open for an address. As long as its mailbox has not answered, the newest counts and its mail alone opens it;
 * afterwards it stays as it was proven, and the mail says that it waits.
 * @throws Refusal validation_error for a chapter that is not there, chapter_not_active
 */
export async function fileAccountRequest(organization: AskedOrganization, asked: AskedAccount): Promise<void> {
  const { first_name, last_name, phone_number = null, chapter = null, justification } = asked;
  const email = normalizeEmail(asked.email);
  if (chapter !== null) {
    if (!(await chapterExists(chapter))) throw invalid('chapter', 'There is no such chapter.');
    await requireActiveChapter(chapter);
  }
  await clearUnproven();
  const token = newToken();
  const { status } = await oneRow<{ status: string }>(
    `INSERT INTO account_requests AS kept
       (organization_id, email, first_name, last_name, phone_number, chapter_id, justification, token_hash, withdrawal_hash,
        token_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, now() + $9 * interval '1 second')
     ON CONFLICT (organization_id, email) WHERE status IN ('unverified', 'pending') DO UPDATE
       SET first_name = CASE WHEN kept.status = 'unverified' THEN excluded.first_name ELSE kept.first_name END,
           last_name = CASE WHEN kept.status = 'unverified' THEN excluded.last_name ELSE kept.last_name END,
           phone_number = CASE WHEN kept.status = 'unverified' THEN excluded.phone_number ELSE kept.phone_number END,
           chapter_id = CASE WHEN kept.status = 'unverified' THEN excluded.chapter_id ELSE kept.chapter_id END,
           justification = CASE WHEN kept.status = 'unverified' THEN excluded.justification ELSE kept.justification END,
           withdrawal_hash = CASE WHEN kept.status = 'unverified' THEN excluded.withdrawal_hash ELSE kept.withdrawal_hash END,
           token_hash = CASE WHEN kept.status = 'unverified' THEN excluded.token_hash END,
           token_expires_at = CASE WHEN kept.status = 'unverified' THEN excluded.token_expires_at END
     RETURNING status`,
    [
      currentOrganization(),
      email,
      first_name,
      last_name,
      phone_number,
      chapter,
      justification,
      hashToken(token),
      VERIFICATION_SECONDS,
    ],
  );
  const { name, slug } = organization;
  const opens = status === 'unverified';
  await writeNotice({
    userId: null,
    kind: opens ? 'account_request_verification' : 'account_request_waiting',
    email,
    facts: { organization: name, slug },
    expiresInSeconds: VERIFICATION_SECONDS,
    ...(opens && { secret: token }),
  });
}

/** What was typed by whoever did not prove the address is kept no longer than their link holds, nor what they took back. */
const clearUnproven = (): Promise<unknown> =>
  rows(
    `DELETE FROM account_requests WHERE organization_id = $1 AND id IN (
       SELECT id FROM account_requests WHERE organization_id = $1 AND (status = 'unverified' AND token_expires_at <= now()
           OR status = 'withdrawn' AND verified_at IS NULL AND created_at < now() - $2 * interval '1 second')
        ORDER BY id LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [currentOrganization(), VERIFICATION_SECONDS],
  );
