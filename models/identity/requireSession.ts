import { firstRow } from '../database/rows.js';
import { identityErrors } from './errors.js';
import { lockPerson } from './lockPerson.js';

/** Somebody in a session of theirs. */
export interface InSession {
  userId: string;
  sessionId: string;
}

/**
 * For what changes how an account is entered, or is kept after the request that asked: the session must still stand once
 * nobody else changes the person. Asked in a statement of its own: one that waited for the lock would see the session as it
 * was before.
 * @throws Refusal session_ended
 */
export async function requireSession(userId: string, sessionId: string): Promise<void> {
  await lockPerson(userId);
  const stands = await firstRow(
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $2 AND s.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL`,
    [userId, sessionId],
  );
  if (!stands) throw identityErrors.session_ended();
}
