import { rows } from '../../database/rows.js';
import { recordSecurityEvent } from '../securityEvents.js';

/**
 * Ends what a connection's provider names: live sessions, and the codes that would open more. What a person opened with a
 * password or passkey, or elsewhere, is not the provider's to end.
 * @param meant SQL over the columns that sessions and sso_codes share, with `$1…` of `values`
 * @returns how many sessions ended
 */
export async function endProviderSessions(connectionId: string, meant: string, values: unknown[]): Promise<number> {
  await rows(`DELETE FROM sso_codes WHERE ${meant}`, values);
  // What has run out may have registered a phone, which hears still.
  const all = await rows<{ id: string; user_id: string; live: boolean }>(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = 'identity_provider'
      WHERE ${meant} AND revoked_at IS NULL RETURNING id, user_id, expires_at > now() AS live`,
    values,
  );
  const ended = all.filter(({ live }) => live);
  for (const { id, user_id: userId } of ended) {
    const details = { connection: connectionId };
    await recordSecurityEvent({ userId, kind: 'session.ended_by_provider', sessionId: id, details });
  }
  return ended.length;
}
