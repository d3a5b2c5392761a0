/** Changes a person's primary address and removes addresses. */
import { editRow, lockForEdit, removeRow } from '../../database/model/change.js';
import { firstRow, rows } from '../../database/rows.js';
import { enqueueNoticeToEveryAddress } from '../notices/enqueueNotice.js';
import { deletePasswordReset } from '../password/deletePasswordReset.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { type InSession, requireSession } from '../requireSession.js';
import { User } from '../User.js';
import { readAddress, verifiedAddresses } from './addresses.js';
import { emailErrors } from './errors.js';
import { UNDO_SECONDS, unlinkAddress } from './linkAddress.js';
import { UserEmail } from './UserEmail.js';

/**
 * Reports whether an organization's admin has linked an address to this person. Then the primary address may not
 * change, because the earlier addresses are needed to undo the linking.
 */
const hasLinkedAddress = async (userId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM user_emails WHERE user_id = $1 AND linked_in IS NOT NULL', [userId])) !== null;

/**
 * Makes a verified address the primary one. The previous primary stays a verified address. All addresses are notified.
 * @throws Refusal session_ended, not_found, email_not_verified, email_linked, email_taken
 */
export async function makePrimary({ userId, sessionId }: InSession, id: string): Promise<void> {
  await requireSession(userId, sessionId);
  const person = await lockForEdit(User, userId);
  const address = await readAddress(userId, id);
  if (address.is_primary) return;
  if (!address.is_verified) throw emailErrors.email_not_verified();
  if (await hasLinkedAddress(userId)) throw emailErrors.email_linked();
  await enqueueNoticeToEveryAddress({ userId, kind: 'primary_email_changed' });
  await insertPrimaryRow(userId);
  // The unique constraint refuses this change if another account has the address as its primary one. That can happen if
  // it had the address before this person verified it.
  await editRow(person, { email: address.email });
  await deletePasswordReset(userId);
  await recordSecurityEvent({ userId, kind: 'email.made_primary', ownDetails: { email: address.email } });
}

/**
 * Inserts a row for the current primary address, so that it stays this person's address after the change. Does nothing
 * when another account has verified it.
 */
const insertPrimaryRow = (userId: string): Promise<unknown> =>
  rows(
    `INSERT INTO user_emails (user_id, email, is_verified) SELECT id, email, true FROM users WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [userId],
  );

/** Reports whether the linking of this address is so recent that the person's earlier addresses can still undo it. */
const canStillBeUnlinked = async (id: string): Promise<boolean> =>
  (await firstRow(`SELECT FROM user_emails WHERE id = $1 AND linked_at > now() - $2 * interval '1 second'`, [
    id,
    UNDO_SECONDS,
  ])) !== null;

/**
 * Removes an address. If an organization linked the address and the linking can still be undone, undoes it instead, and
 * removes all that was set up since: the request may come from the reader of the linked mailbox, who wants to prevent
 * the undo.
 * @throws Refusal session_ended, not_found, email_is_primary, email_last_verified
 */
export async function removeEmail({ userId, sessionId }: InSession, id: string): Promise<void> {
  await requireSession(userId, sessionId);
  const { email, is_primary, is_verified } = await readAddress(userId, id);
  if (is_primary) throw emailErrors.email_is_primary();
  if (is_verified) {
    if ((await verifiedAddresses(userId)).length === 1) throw emailErrors.email_last_verified();
    await enqueueNoticeToEveryAddress({ userId, kind: 'email_removed', facts: { email } });
    // A mail with a reset token may already be on its way to the removed mailbox, so the token is deleted.
    await deletePasswordReset(userId);
  }
  if (await canStillBeUnlinked(id)) await unlinkAddress(id);
  else await removeRow(UserEmail, { id, user_id: userId });
  await recordSecurityEvent({ userId, kind: 'email.removed', ownDetails: { email } });
}
