/** A family of refresh tokens has one that is live; each use puts the next in its place (spec: Credential transport). */
import { firstRow, rows } from '../database/rows.js';
import { identityErrors } from './errors.js';
import { type ImpersonationClaims, REFRESH_TOKEN_SECONDS, type SessionTokens, signSessionTokens } from './tokens.js';

export interface Succession {
  /** Moves the session there; left out, it stays where it is. */
  organizationId?: string | null;
  /** The token that is exchanged for the next, whose session the caller has locked: for a moment it may be exchanged again (`REFRESH_GRACE_SECONDS`). */
  predecessorId?: string | null;
  /** What the presented token said of it. */
  impersonation?: ImpersonationClaims | null;
}

interface Next {
  user_id: string;
  organization_id: string | null;
  switches: number;
  refresh_token_id: string;
}

/**
 * Replaces the live refresh token of a session. The session lasts as long as its newest refresh token, and was last
 * seen when it was made: requests in between write nothing. Moved to another organization, it refuses the access tokens
 * from before. What an identity provider began ends, however often it is refreshed, when the provider has not answered
 * for as long as its connection allows.
 * @throws Refusal session_ended
 */
export async function succeedRefreshToken(
  sessionId: string,
  { organizationId = null, predecessorId = null, impersonation = null }: Succession = {},
): Promise<SessionTokens> {
  // A refresh of the same session may be under way: a statement that waited for it would not see the token it made.
  if (predecessorId === null) await rows('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [sessionId]);
  const next = await firstRow<Next>(
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
       -- counting makes the old one used before the new one is there: only one may be live
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
