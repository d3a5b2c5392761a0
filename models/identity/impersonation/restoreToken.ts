/**
 * Signs and verifies restore tokens. With a token of the impersonation, a restore token restores the admin's own
 * session.
 */
import { REFRESH_TOKEN_SECONDS, signToken, type TokenClaims, verifyToken } from '../tokens.js';

/** Maximum duration of an impersonation, in seconds. Refreshing its tokens does not extend it. */
export const IMPERSONATION_SECONDS = 30 * 60;
/** A restore token must stay valid until the impersonation's last refresh token expires. */
export const RESTORE_TOKEN_SECONDS = IMPERSONATION_SECONDS + REFRESH_TOKEN_SECONDS;

export interface RestoreClaims {
  /** The admin's user id. */
  actorId: string;
  /** The admin's own session. */
  actorSessionId: string;
  impersonationId: string;
}

/**
 * Signs a restore token.
 * @param organizationId the organization of the admin's own session
 */
export const signRestoreToken = (
  { actorId, actorSessionId, impersonationId }: RestoreClaims,
  organizationId: string | null,
): string =>
  signToken(
    {
      typ: 'restore',
      sub: actorId,
      sid: actorSessionId,
      org: organizationId,
      imp_restore: true,
      imp_sid: impersonationId,
    },
    RESTORE_TOKEN_SECONDS,
  );

/**
 * Verifies a restore token.
 * @returns its content; null if the token is invalid or belongs to another impersonation than `session`
 */
export function verifyRestoreToken(token: string | null, session: TokenClaims): RestoreClaims | null {
  const claims = token === null ? null : verifyToken(token, 'restore');
  if (!claims?.imp_restore || !claims.imp_sid || claims.imp_sid !== session.imp_sid) return null;
  if (claims.sub !== session.imp_by) return null;
  return { actorId: claims.sub, actorSessionId: claims.sid, impersonationId: claims.imp_sid };
}
