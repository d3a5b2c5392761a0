/**
 * Files a request for an account without a sign-in. The same work is done for every address, so that the response does
 * not reveal whether an account exists.
 */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { normalizeEmail } from '../../identity/accounts.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { chapterExists, requireActiveChapter } from '../chapters.js';
import type { PublicOrganization } from './publicOrganization.js';

export const VERIFICATION_SECONDS = 24 * 60 * 60;
const DELETE_BATCH_SIZE = 100;

export interface NewAccountRequest {
  email: string;
  first_name: string;
  last_name: string;
  phone_number?: string | null | undefined;
  chapter?: string | null | undefined;
  justification: string;
}

/**
 * Creates the request, or updates the open one of the same address. Until the address is verified, the newest input
 * replaces the older one, and only the newest mail can verify it. After verification the stored input stays unchanged,
 * and a repeated request only causes a mail which says that the request is pending.
 * @throws Refusal validation_error for a chapter that does not exist, chapter_not_active
 */
export async function fileAccountRequest(organization: PublicOrganization, input: NewAccountRequest): Promise<void> {
  const { first_name, last_name, phone_number = null, chapter = null, justification } = input;
  const email = normalizeEmail(input.email);
  if (chapter !== null) {
    if (!(await chapterExists(chapter))) throw invalid('chapter', 'There is no such chapter.');
    await requireActiveChapter(chapter);
  }
  await deleteUnverified();
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
  const isUnverified = status === 'unverified';
  await writeNotice({
    userId: null,
    kind: isUnverified ? 'account_request_verification' : 'account_request_waiting',
    email,
    facts: { organization: name, slug },
    expiresInSeconds: VERIFICATION_SECONDS,
    ...(isUnverified && { secret: token }),
  });
}

/** Deletes unverified requests whose link has expired, and requests that were withdrawn before they were verified. */
const deleteUnverified = (): Promise<unknown> =>
  rows(
    `DELETE FROM account_requests WHERE organization_id = $1 AND id IN (
       SELECT id FROM account_requests WHERE organization_id = $1 AND (status = 'unverified' AND token_expires_at <= now()
           OR status = 'withdrawn' AND verified_at IS NULL AND created_at < now() - $2 * interval '1 second')
        ORDER BY id LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
    [currentOrganization(), VERIFICATION_SECONDS],
  );
