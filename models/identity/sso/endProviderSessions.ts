import { rows } from '../../database/rows.js';
import { recordSecurityEvent } from '../securityEvents.js';

/**
 * Ends the sessions of this connection that the provider's logout message means, and deletes sign-in codes that would
 * open new ones. Sessions that the person opened with a password, a passkey or another connection continue.
 * @param condition SQL condition over the columns that sessions and sso_codes share, with `$1…` of `values`
 * @returns how many sessions ended
 */
export async function endProviderSessions(connectionId: string, condition: string, values: unknown[]): Promise<number> {
  await rows(`DELETE FROM sso_codes WHERE ${condition}`, values);
  // Expired sessions are revoked, too: a push token that they registered may still receive messages.
  const all = await rows<{ id: string; user_id: string; live: boolean }>(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = 'identity_provider'
      WHERE ${condition} AND revoked_at IS NULL RETURNING id, user_id, expires_at > now() AS live`,
    values,
  );
  const ended = all.filter(({ live }) => live);
  for (const { id, user_id: userId } of ended) {
    const details = { connection: connectionId };
    await recordSecurityEvent({ userId, kind: 'session.ended_by_provider', sessionId: id, details });
  }
  return ended.length;
}
