/** What, together with a token of the impersonation, brings the admin's own session back. */
import { REFRESH_TOKEN_SECONDS, signToken, type TokenClaims, verifyToken } from '../tokens.js';

/** From the start of an impersonation to its deadline, whatever is refreshed meanwhile. */
export const IMPERSONATION_SECONDS = 30 * 60;
/** As long as the impersonation's last refresh token may be exchanged. */
export const RESTORE_TOKEN_SECONDS = IMPERSONATION_SECONDS + REFRESH_TOKEN_SECONDS;

export interface RestoreClaims {
  /** The admin's user id. */
  actorId: string;
  /** The admin's own session. */
  actorSessionId: string;
  impersonationId: string;
}

/** @param organizationId of the admin's own session */
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

/** @returns null for what is no restore token of the impersonation that `session` is of */
export function verifyRestoreToken(token: string | null, session: TokenClaims): RestoreClaims | null {
  const claims = token === null ? null : verifyToken(token, 'restore');
  if (!claims?.imp_restore || !claims.imp_sid || claims.imp_sid !== session.imp_sid) return null;
  if (claims.sub !== session.imp_by) return null;
  return { actorId: claims.sub, actorSessionId: claims.sid, impersonationId: claims.imp_sid };
}
