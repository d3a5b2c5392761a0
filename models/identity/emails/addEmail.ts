/**
 * Adds an e-mail address to an account. The address identifies the person only after it is verified with a token that
 * is mailed to it.
 */
import { changeRow, createRow, now } from '../../database/model/change.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { normalizeEmail } from '../accounts.js';
import { writeNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { hashToken, newToken } from '../secretTokens.js';
import { type InSession, requireSession } from '../requireSession.js';
import { readAddress } from './addresses.js';
import { emailErrors } from './errors.js';
import { UserEmail } from './UserEmail.js';

export const VERIFICATION_SECONDS = 24 * 60 * 60;
export const MAX_ADDRESSES = 10;
/** Minimum time between two verification mails to one address. */
const MIN_SECONDS_BETWEEN_MAILS = 60;

/**
 * Adds an address and mails a verification token to it. The API response does not reveal whether another account has
 * the address; only the reader of the mailbox may learn that.
 * @returns the address's id
 * @throws Refusal session_ended, email_exists, email_limit; mailbox_unproven where an admin set the password
 */
export async function addEmail({ userId, sessionId }: InSession, typedEmail: string): Promise<string> {
  const email = normalizeEmail(typedEmail);
  await requireSession(userId, sessionId);
  const { count, is_listed, unproven } = await oneRow<{ count: number; is_listed: boolean; unproven: boolean }>(
    `SELECT count(*)::int AS count,
            EXISTS (SELECT FROM users WHERE id = $1 AND password_given_in IS NOT NULL) AS unproven,
            coalesce(bool_or(email = $2), false) OR EXISTS (SELECT FROM users WHERE id = $1 AND email = $2) AS is_listed
       FROM user_emails WHERE user_id = $1`,
    [userId, email],
  );
  if (unproven) throw emailErrors.mailbox_unproven();
  if (is_listed) throw emailErrors.email_exists();
  if (count >= MAX_ADDRESSES) throw emailErrors.email_limit();
  const { id } = await createRow(UserEmail, { user_id: userId, email });
  await mailToken({ userId, id, email });
  await recordSecurityEvent({ userId, kind: 'email.added', ownDetails: { email } });
  return id;
}

/**
 * Mails a new token, which replaces the previous one.
 * @throws Refusal session_ended, not_found, email_verified_already, throttled
 */
export async function resendVerification({ userId, sessionId }: InSession, id: string): Promise<void> {
  await requireSession(userId, sessionId);
  const { email, is_verified } = await readAddress(userId, id);
  if (is_verified) throw emailErrors.email_verified_already();
  const recent = await firstRow<{ wait: number }>(
    `SELECT ceil(extract(epoch FROM verification_sent_at - now()) + $2)::int AS wait FROM user_emails
      WHERE id = $1 AND verification_sent_at > now() - $2 * interval '1 second'`,
    [id, MIN_SECONDS_BETWEEN_MAILS],
  );
  if (recent) throw refuse.throttled(undefined, undefined, { 'Retry-After': String(Math.max(1, recent.wait)) });
  await mailToken({ userId, id, email });
}

async function mailToken({ userId, id, email }: { userId: string; id: string; email: string }): Promise<void> {
  const token = newToken();
  await changeRow(UserEmail, id, { verification_token_hash: hashToken(token), verification_sent_at: now });
  await writeNotice({
    userId,
    kind: 'email_verification',
    email,
    secret: token,
    expiresInSeconds: VERIFICATION_SECONDS,
  });
}
