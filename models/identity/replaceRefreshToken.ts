/**
 * Rotates refresh tokens. A session has one live refresh token; each use replaces it by the next (spec: Credential
 * transport).
 */
import { firstRow, rows } from '../database/rows.js';
import { identityErrors } from './errors.js';
import { type ImpersonationClaims, REFRESH_TOKEN_SECONDS, type SessionTokens, signSessionTokens } from './tokens.js';

export interface ReplacementOptions {
  /** Moves the session to this organization. Default: the session stays in its organization. */
  organizationId?: string | null;
  /**
   * The token that is exchanged. The caller has locked its session. Within `REFRESH_GRACE_SECONDS` it may be exchanged
   * again.
   */
  predecessorId?: string | null;
  /** The impersonation claims of the presented token. */
  impersonation?: ImpersonationClaims | null;
}

interface NextToken {
  user_id: string;
  organization_id: string | null;
  switches: number;
  refresh_token_id: string;
}

/**
 * Replaces the live refresh token of a session. The session expires together with its newest refresh token, and
 * `last_seen_at` is updated only here. When the session switches organizations, its earlier access tokens become
 * invalid. A session that an identity provider began cannot be prolonged beyond the time at which the person must sign
 * in at the provider again.
 * @throws Refusal session_ended
 */
export async function replaceRefreshToken(
  sessionId: string,
  { organizationId = null, predecessorId = null, impersonation = null }: ReplacementOptions = {},
): Promise<SessionTokens> {
  // Locks the session first, in a statement of its own: if the statement below had to wait for a concurrent refresh, it
  // would not see the token that the refresh created.
  if (predecessorId === null) await rows('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [sessionId]);
  const next = await firstRow<NextToken>(
    `WITH session AS (
       UPDATE sessions SET organization_id = coalesce($2, organization_id),
              last_seen_at = now(),
              expires_at = least(now() + $3 * interval '1 second',
                                 app.provider_due_at(provider_answered_at, connection_id))
        WHERE id = $1 AND revoked_at IS NULL AND expires_at > now() RETURNING id, user_id, organization_id, switches, expires_at),
     used AS (
       UPDATE refresh_tokens SET used_at = now() FROM session
        WHERE session_id = session.id AND used_at IS NULL RETURNING session_id),
     next AS (
       INSERT INTO refresh_tokens (session_id, expires_at, predecessor_id)
       -- the count forces the UPDATE to run before the INSERT, because a unique index allows only one live token
       SELECT id, session.expires_at, $4 FROM session WHERE (SELECT count(*) FROM used) >= 0 RETURNING id)
     SELECT session.user_id, session.organization_id, session.switches, next.id AS refresh_token_id FROM session, next`,
    [sessionId, organizationId, REFRESH_TOKEN_SECONDS, predecessorId],
  );
  if (!next) throw identityErrors.session_ended();
  return signSessionTokens({
    userId: next.user_id,
    sessionId,
    organizationId: next.organization_id,
    switches: next.switches,
    refreshTokenId: next.refresh_token_id,
    impersonation,
  });
}
