/** Which of a person's addresses mail goes to, and which are theirs no more. */
import { editRow, lockRow, removeRow } from '../../database/model/change.js';
import { firstRow, rows } from '../../database/rows.js';
import { noticeEveryAddress } from '../notices/noticePerson.js';
import { dropPasswordReset } from '../password/dropPasswordReset.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { type InSession, requireSession } from '../requireSession.js';
import { User } from '../User.js';
import { readAddress, verifiedAddresses } from './addresses.js';
import { emailErrors } from './errors.js';
import { UNDO_SECONDS, unlinkAddress } from './linkAddress.js';
import { UserEmail } from './UserEmail.js';

/** What an organization linked may be taken back, to the addresses from before it. */
const hasLinkedAddress = async (userId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM user_emails WHERE user_id = $1 AND linked_in IS NOT NULL', [userId])) !== null;

/**
 * Mail goes to this address from now on; the one before stays a verified one. All of them are told.
 * @throws Refusal session_ended, not_found, email_not_verified, email_linked, email_taken
 */
export async function makePrimary({ userId, sessionId }: InSession, id: string): Promise<void> {
  await requireSession(userId, sessionId);
  const person = await lockRow(User, userId);
  const address = await readAddress(userId, id);
  if (address.is_primary) return;
  if (!address.is_verified) throw emailErrors.email_not_verified();
  if (await hasLinkedAddress(userId)) throw emailErrors.email_linked();
  await noticeEveryAddress({ userId, kind: 'primary_email_changed' });
  await keepPrimary(userId);
  // It may be another person's primary one, from before it was proven here.
  await editRow(person, { email: address.email });
  await dropPasswordReset(userId);
  await recordSecurityEvent({ userId, kind: 'email.made_primary', ownDetails: { email: address.email } });
}

/** Gives the primary address a row of its own, so that it stays theirs; not when somebody else has proven it. */
const keepPrimary = (userId: string): Promise<unknown> =>
  rows(
    `INSERT INTO user_emails (user_id, email, is_verified) SELECT id, email, true FROM users WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [userId],
  );

/** Whether the addresses from before it may still take it back. */
const mayBeTakenBack = async (id: string): Promise<boolean> =>
  (await firstRow(`SELECT FROM user_emails WHERE id = $1 AND linked_at > now() - $2 * interval '1 second'`, [
    id,
    UNDO_SECONDS,
  ])) !== null;

/**
 * One that an organization linked and that may still be taken back goes as if it were, with what was set up since: its reader
 * may be who asks, and there would be nothing left to take back.
 * @throws Refusal session_ended, not_found, email_is_primary, email_last_verified
 */
export async function removeEmail({ userId, sessionId }: InSession, id: string): Promise<void> {
  await requireSession(userId, sessionId);
  const { email, is_primary, is_verified } = await readAddress(userId, id);
  if (is_primary) throw emailErrors.email_is_primary();
  if (is_verified) {
    if ((await verifiedAddresses(userId)).length === 1) throw emailErrors.email_last_verified();
    await noticeEveryAddress({ userId, kind: 'email_removed', facts: { email } });
    // A token may be on its way to the mailbox that is theirs no more.
    await dropPasswordReset(userId);
  }
  if (await mayBeTakenBack(id)) await unlinkAddress(id);
  else await removeRow(UserEmail, { id, user_id: userId });
  await recordSecurityEvent({ userId, kind: 'email.removed', ownDetails: { email } });
}
