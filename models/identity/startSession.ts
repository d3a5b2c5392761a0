/** Sessions begin here, whatever the proof was: password, identity provider, passkey. */
import { firstRow } from '../database/rows.js';
import { REFRESH_TOKEN_SECONDS, type SessionTokens, signSessionTokens } from './tokens.js';

export interface Device {
  client: 'web' | 'native';
  userAgent: string | null;
  ipAddress: string;
}

export interface NewSession {
  userId: string;
  /** null for platform admins: they name the organization with each request. */
  organizationId: string | null;
  device: Device;
  /** The hash that the password was verified against: the session begins only if it still is the account's. */
  passwordHash?: string;
}

/**
 * Opens a session with the first refresh token of its family, and remembers the organization for the next log-in.
 * @returns null when the account was disabled, or its password changed, while the proof was checked
 */
export async function startSession({
  userId,
  organizationId,
  device,
  passwordHash,
}: NewSession): Promise<SessionTokens | null> {
  const begun = await firstRow<{ session_id: string; refresh_token_id: string }>(
    `WITH holder AS (
       UPDATE users SET last_organization_id = coalesce($2, last_organization_id)
        WHERE id = $1 AND disabled_at IS NULL AND ($6::text IS NULL OR password_hash = $6) RETURNING id),
     session AS (
       INSERT INTO sessions (user_id, organization_id, client, user_agent, ip_address, expires_at)
       SELECT id, $2, $3, $4, $5, now() + $7 * interval '1 second' FROM holder RETURNING id)
     INSERT INTO refresh_tokens (session_id, expires_at)
     SELECT id, now() + $7 * interval '1 second' FROM session RETURNING session_id, id AS refresh_token_id`,
    [
      userId,
      organizationId,
      device.client,
      device.userAgent,
      device.ipAddress,
      passwordHash ?? null,
      REFRESH_TOKEN_SECONDS,
    ],
  );
  if (!begun) return null;
  return signSessionTokens({
    userId,
    organizationId,
    sessionId: begun.session_id,
    refreshTokenId: begun.refresh_token_id,
  });
}
