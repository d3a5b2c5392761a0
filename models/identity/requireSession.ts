import { firstRow } from '../database/rows.js';
import { identityErrors } from './errors.js';
import { lockPerson } from './lockPerson.js';

/** A person and the session they use. */
export interface InSession {
  userId: string;
  sessionId: string;
}

/**
 * Locks the person and requires that the session is still valid. Call it before a change of how the account is
 * accessed, and before a change whose effect outlives the request. The session is read in a second statement, after the
 * one that waits for the lock, because the waiting statement would see the session's earlier state.
 * @throws Refusal session_ended
 */
export async function requireSession(userId: string, sessionId: string): Promise<void> {
  await lockPerson(userId);
  const session = await firstRow(
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $2 AND s.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL`,
    [userId, sessionId],
  );
  if (!session) throw identityErrors.session_ended();
}
