/** What becomes of an impersonation when its refresh token is presented (spec: Impersonation, rule 6). */
import { firstRow } from '../../database/rows.js';
import { revokeSession } from '../revokeSessions.js';
import { type TokenClaims, verifyToken } from '../tokens.js';
import { type Ended, inImpersonation, restoreActor } from './endImpersonation.js';
import { verifyRestoreToken } from './restoreToken.js';
import type { Origin } from '../../database/connection.js';

export type RefreshedImpersonation = Ended | { outcome: 'goes_on' } | { outcome: 'reused' } | { outcome: 'invalid' };

interface Presented {
  session_live: boolean;
  token_used: boolean;
  token_fresh: boolean;
  stands: boolean;
}

/**
 * Before the deadline nothing: the token is rotated like any other. At it, or when the impersonation ended for another
 * reason that is not the admin's own, the way back to the admin's session, which takes the restore token.
 * @returns goes_on also for tokens of ordinary sessions
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
  if (presented.stands) return { outcome: 'goes_on' };
  if (presented.token_used) {
    await revokeSession(claims.sub, claims.sid, 'refresh_token_reused');
    return { outcome: 'reused' };
  }
  if (!presented.token_fresh) return { outcome: 'invalid' };
  const restore = verifyRestoreToken(restoreToken, claims);
  return restore ? restoreActor(claims, restore, 'expired') : { outcome: 'unproven' };
}

/** Both rows are locked, so that whoever waited sees what the one before did to them. */
const lockPresented = ({ jti, sid, sub, imp_sid }: TokenClaims): Promise<Presented | null> =>
  firstRow<Presented>(
    `SELECT s.revoked_at IS NULL AND s.expires_at > now() AS session_live,
            t.used_at IS NOT NULL AS token_used, t.expires_at > now() AS token_fresh,
            app.impersonation($4, s.id, s.user_id) IS NOT NULL AS stands
       FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id
      WHERE s.id = $1 AND s.user_id = $2 AND t.id = $3 AND s.impersonation_id = $4
        FOR UPDATE OF s, t`,
    [sid, sub, jti, imp_sid],
  );
