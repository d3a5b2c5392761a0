/** Decides what happens when an impersonation's refresh token is presented (spec: Impersonation, rule 6). */
import { firstRow } from '../../database/rows.js';
import { revokeSession } from '../revokeSessions.js';
import { type TokenClaims, verifyToken } from '../tokens.js';
import { type ImpersonationEnd, inImpersonation, restoreActor } from './endImpersonation.js';
import { verifyRestoreToken } from './restoreToken.js';
import type { Origin } from '../../database/connection.js';

export type RefreshedImpersonation =
  | ImpersonationEnd
  | { outcome: 'goes_on' }
  | { outcome: 'reused' }
  | { outcome: 'invalid' };

interface PresentedToken {
  session_live: boolean;
  token_used: boolean;
  token_fresh: boolean;
  is_active: boolean;
}

/**
 * Decides what to do with a presented refresh token. While the impersonation is active, nothing: its token is rotated
 * like any other. After the impersonation has ended, the restore token restores the admin's own session; if that
 * session has ended as well, the outcome is session_ended.
 * @returns the outcome; `goes_on` also for tokens of ordinary sessions
 */
export async function refreshImpersonation(
  token: string,
  restoreToken: string | null,
  origin: Origin,
): Promise<RefreshedImpersonation> {
  const claims = verifyToken(token, 'refresh');
  if (!claims?.imp_sid || !claims.imp_org) return { outcome: 'goes_on' };
  return inImpersonation(claims, origin, () => refresh(claims, restoreToken));
}

async function refresh(claims: TokenClaims, restoreToken: string | null): Promise<RefreshedImpersonation> {
  const presented = await lockPresented(claims);
  if (!presented?.session_live) return { outcome: 'session_ended' };
  if (presented.is_active) return { outcome: 'goes_on' };
  if (presented.token_used) {
    await revokeSession(claims.sub, claims.sid, 'refresh_token_reused');
    return { outcome: 'reused' };
  }
  if (!presented.token_fresh) return { outcome: 'invalid' };
  const restore = verifyRestoreToken(restoreToken, claims);
  return restore ? restoreActor(claims, restore, 'expired') : { outcome: 'unproven' };
}

/** Locks the session and the token, so that a concurrent call waits and then sees the result of the first. */
const lockPresented = ({ jti, sid, sub, imp_sid }: TokenClaims): Promise<PresentedToken | null> =>
  firstRow<PresentedToken>(
    `SELECT s.revoked_at IS NULL AND s.expires_at > now() AS session_live,
            t.used_at IS NOT NULL AS token_used, t.expires_at > now() AS token_fresh,
            app.impersonation($4, s.id, s.user_id) IS NOT NULL AS is_active
       FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id
      WHERE s.id = $1 AND s.user_id = $2 AND t.id = $3 AND s.impersonation_id = $4
        FOR UPDATE OF s, t`,
    [sid, sub, jti, imp_sid],
  );
