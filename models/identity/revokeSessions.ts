/** Ends sessions: their access tokens fail with the next request, their refresh tokens with the next refresh. */
import { rows } from '../database/rows.js';

/** Why a session ended; part of the row. */
export type RevocationReason = 'logged_out' | 'revoked' | 'password_changed' | 'refresh_token_reused';

const REVOKE = 'UPDATE sessions SET revoked_at = now(), revoked_reason = $2 WHERE user_id = $1';
const LIVE = 'revoked_at IS NULL AND expires_at > now()';

/** @returns whether this person had such a session, and it had not ended */
export async function revokeSession(userId: string, sessionId: string, reason: RevocationReason): Promise<boolean> {
  return (await rows(`${REVOKE} AND id = $3 AND ${LIVE} RETURNING id`, [userId, reason, sessionId])).length > 0;
}

/** Ends all sessions of a person but one. @param keptId null ends all. @returns how many ended */
export async function revokeOtherSessions(
  userId: string,
  keptId: string | null,
  reason: RevocationReason,
): Promise<number> {
  const ended = await rows(`${REVOKE} AND id IS DISTINCT FROM $3 AND ${LIVE} RETURNING id`, [userId, reason, keptId]);
  return ended.length;
}
