/** Starts sessions after any kind of authentication: password, identity provider or passkey. */
import { firstRow, type Statement } from '../database/rows.js';
import type { AuthMethod } from './Actor.js';
import { enqueueNotice } from './notices/enqueueNotice.js';
import { recordSecurityEvent } from './securityEvents.js';
import type { ProviderName } from './sso/provenIdentity.js';
import { REFRESH_TOKEN_SECONDS, type SessionTokens, signSessionTokens } from './tokens.js';

export interface Device {
  client: 'web' | 'native';
  userAgent: string | null;
  ipAddress: string;
}

export interface NewSession {
  userId: string;
  /** Null for platform admins, who name the organization with each request. */
  organizationId: string | null;
  device: Device;
  /** How the person authenticated. Default: 'password'. */
  method?: AuthMethod;
  /** Whether an organization's identity provider began the session. Then it is limited to that organization. */
  confined?: boolean;
  /** The connection of that identity provider. Disabling or removing it ends the session. */
  connectionId?: string;
  /**
   * The provider's name for its own session. A logout message with this name ends this session. Null if the provider
   * sends none.
   */
  providerSessionId?: string | null;
  /** SAML: the NameID of the person in this session. */
  providerName?: ProviderName | null;
  /** When the person authenticated. Default: now. Null: unknown, stored as the epoch. */
  provenAt?: Date | null;
  /**
   * The password hash against which the password was verified. The session starts only if the account still has this
   * hash.
   */
  passwordHash?: string;
}

interface StartedSession {
  session_id: string;
  refresh_token_id: string;
  is_new_device: boolean;
}

const EPOCH = new Date(0);

/**
 * Starts a session with its first refresh token, and stores the organization as the default for the next log-in. The
 * person sees the new session in their security events, and gets a mail if the device is new. If the current
 * transaction belongs to the organization (`inTenant`), its audit log records the sign-in.
 * @returns null when the account was disabled, or its password changed, while the person authenticated
 */
export async function startSession(session: NewSession): Promise<SessionTokens | null> {
  const { userId, organizationId, device, method = 'password' } = session;
  const { text, values } = sessionStatement(session);
  const started = await firstRow<StartedSession>(text, values);
  if (!started) return null;
  const { session_id: sessionId, refresh_token_id: refreshTokenId } = started;
  const { client, userAgent, ipAddress } = device;
  await recordSecurityEvent({
    userId,
    kind: 'session.started',
    sessionId,
    organizationId,
    ipAddress,
    userAgent,
    details: { method, client },
  });
  if (started.is_new_device) {
    const facts = { device: userAgent ?? 'unknown', ip_address: ipAddress };
    await enqueueNotice({ userId, kind: 'new_device', facts });
  }
  return signSessionTokens({ userId, organizationId, sessionId, refreshTokenId });
}

/**
 * Builds the statement that starts a session. It returns no row if the account is disabled or its password has changed.
 */
export function sessionStatement(session: NewSession): Statement {
  const {
    userId,
    organizationId,
    device,
    method = 'password',
    confined = false,
    passwordHash = null,
    connectionId = null,
    providerSessionId = null,
    providerName = null,
  } = session;
  const provenAt = session.provenAt === null ? EPOCH : (session.provenAt ?? null);
  return {
    text: `WITH holder AS (
       UPDATE users SET last_organization_id = coalesce($2, last_organization_id)
        WHERE id = $1 AND disabled_at IS NULL AND ($6::text IS NULL OR password_hash = $6) RETURNING id),
     answered AS (SELECT CASE WHEN $8 IN ('saml', 'oauth') THEN now() END AS at),
     session AS (
       INSERT INTO sessions (user_id, organization_id, client, user_agent, ip_address, expires_at,
                             auth_method, auth_time, confined, connection_id, provider_answered_at, provider_session,
                             provider_name_id, provider_name_attributes)
       -- least() ignores nulls: provider_due_at is null for sessions that no identity provider began.
       SELECT id, $2, $3, $4, $5, least(now() + $7 * interval '1 second', app.provider_due_at(answered.at, $11)),
              $8, least(coalesce($9::timestamptz, now()), now()), $10, $11, answered.at, $12, $13, $14
         FROM holder, answered RETURNING id, expires_at),
     token AS (
       INSERT INTO refresh_tokens (session_id, expires_at)
       SELECT id, expires_at FROM session RETURNING session_id, id)
     SELECT token.session_id, token.id AS refresh_token_id,
            -- True if no earlier session had this user agent. The first device of an account is not reported.
            (SELECT bool_and(user_agent IS DISTINCT FROM $4) FROM sessions
              WHERE user_id = $1 AND impersonation_id IS NULL) IS TRUE AS is_new_device
       FROM token`,
    values: [
      userId,
      organizationId,
      device.client,
      device.userAgent,
      device.ipAddress,
      passwordHash,
      REFRESH_TOKEN_SECONDS,
      method,
      provenAt,
      confined,
      connectionId,
      providerSessionId,
      providerName?.nameId ?? null,
      providerName && JSON.stringify(providerName.attributes),
    ],
  };
}
