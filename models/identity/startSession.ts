/** Sessions begin here, whatever the proof was: password, identity provider, passkey. */
import { firstRow, type Statement } from '../database/rows.js';
import type { AuthMethod } from './Actor.js';
import { noticePerson } from './notices/noticePerson.js';
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
  /** null for platform admins: they name the organization with each request. */
  organizationId: string | null;
  device: Device;
  /** Left out: 'password'. */
  method?: AuthMethod;
  /** Begun by an organization's identity provider: the session never leaves that organization. */
  confined?: boolean;
  /** Which one: switched off or removed, it takes the session with it. */
  connectionId?: string;
  /** What that provider calls its own session, where it says so: it may end it by that name. */
  providerSessionId?: string | null;
  /** What it calls the person in it. */
  providerName?: ProviderName | null;
  /** When the person proved who they are. Left out: now. null: nobody knows, so it counts as long ago. */
  provenAt?: Date | null;
  /** The hash that the password was verified against: the session begins only if it still is the account's. */
  passwordHash?: string;
}

interface Begun {
  session_id: string;
  refresh_token_id: string;
  is_new_device: boolean;
}

const LONG_AGO = new Date(0);

/**
 * Opens a session with the first refresh token of its family, remembers the organization for the next log-in, and tells
 * the person: in their log, and by mail when they sign in with a device that is new to them. The audit log of the
 * organization tells of it when the open transaction is the organization's (`inTenant`).
 * @returns null when the account was disabled, or its password changed, while the proof was checked
 */
export async function startSession(session: NewSession): Promise<SessionTokens | null> {
  const { userId, organizationId, device, method = 'password' } = session;
  const { text, values } = sessionStatement(session);
  const begun = await firstRow<Begun>(text, values);
  if (!begun) return null;
  const { session_id: sessionId, refresh_token_id: refreshTokenId } = begun;
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
  if (begun.is_new_device) {
    const facts = { device: userAgent ?? 'unknown', ip_address: ipAddress };
    await noticePerson({ userId, kind: 'new_device', facts });
  }
  return signSessionTokens({ userId, organizationId, sessionId, refreshTokenId });
}

/** The statement that begins a session; no row when the account does not let it begin. */
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
  const provenAt = session.provenAt === null ? LONG_AGO : (session.provenAt ?? null);
  return {
    text: `WITH holder AS (
       UPDATE users SET last_organization_id = coalesce($2, last_organization_id)
        WHERE id = $1 AND disabled_at IS NULL AND ($6::text IS NULL OR password_hash = $6) RETURNING id),
     answered AS (SELECT CASE WHEN $8 IN ('saml', 'oauth') THEN now() END AS at),
     session AS (
       INSERT INTO sessions (user_id, organization_id, client, user_agent, ip_address, expires_at,
                             auth_method, auth_time, confined, connection_id, provider_answered_at, provider_session,
                             provider_name_id, provider_name_attributes)
       -- least() leaves out what is null
       SELECT id, $2, $3, $4, $5, least(now() + $7 * interval '1 second', app.provider_due_at(answered.at, $11)),
              $8, least(coalesce($9::timestamptz, now()), now()), $10, $11, answered.at, $12, $13, $14
         FROM holder, answered RETURNING id, expires_at),
     token AS (
       INSERT INTO refresh_tokens (session_id, expires_at)
       SELECT id, expires_at FROM session RETURNING session_id, id)
     SELECT token.session_id, token.id AS refresh_token_id,
            -- of the sessions before this one; the very first device is no news
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
