/** The way back: the impersonation ends, and the admin's own session goes on. */
import { firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { revokeSession } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { succeedRefreshToken } from '../succeedRefreshToken.js';
import type { SessionTokens, TokenClaims } from '../tokens.js';
import { type RestoreClaims, verifyRestoreToken } from './restoreToken.js';
import type { Origin } from '../../database/connection.js';

export type Ended =
  | { outcome: 'restored'; client: 'web' | 'native'; tokens: SessionTokens }
  /** The restore token is missing or another session's; nothing has ended. */
  | { outcome: 'unproven' }
  /** It had ended, or the admin's own session has. */
  | { outcome: 'session_ended' };

/** The stop endpoint. @param claims of a token of the impersonation, its access token's */
export async function stopImpersonation(
  claims: TokenClaims,
  restoreToken: string | null,
  origin: Origin,
): Promise<Ended> {
  const restore = verifyRestoreToken(restoreToken, claims);
  if (!restore) return { outcome: 'unproven' };
  // The ending of a session is an outcome, not an exception: it has to be committed.
  return inImpersonation(claims, origin, () => restoreActor(claims, restore, 'stopped'));
}

/** One transaction in the organization of the impersonation, in the admin's name. */
export const inImpersonation = <T>(claims: TokenClaims, origin: Origin, work: () => Promise<T>) =>
  inTenant(claims.imp_org as string, work, { origin: { ...origin, userId: claims.imp_by as string } });

/** Ends the one session and gives the other new tokens, in the open transaction. @param how for the record */
export async function restoreActor(
  { sub, sid, imp_by, imp_sid }: TokenClaims,
  { actorId, actorSessionId }: RestoreClaims,
  how: 'stopped' | 'expired',
): Promise<Ended> {
  const own = await firstRow<{ client: 'web' | 'native'; stands: boolean }>(
    `SELECT own.client, own.revoked_at IS NULL AND own.expires_at > now() AND u.disabled_at IS NULL AS stands
       FROM impersonations i JOIN sessions own ON own.id = i.actor_session_id JOIN users u ON u.id = own.user_id
      WHERE i.organization_id = app.org_id() AND i.id = $1 AND i.session_id = $2 AND i.user_id = $3
        AND i.actor_id = $4 AND own.id = $5 AND own.user_id = $4`,
    [imp_sid, sid, sub, actorId, actorSessionId],
  );
  if (!own || !(await revokeSession(sub, sid, 'impersonation_ended'))) return { outcome: 'session_ended' };
  await recordSecurityEvent({
    userId: sub,
    kind: 'impersonation.ended',
    sessionId: sid,
    details: { by: imp_by, how },
  });
  if (!own.stands) return { outcome: 'session_ended' };
  return { outcome: 'restored', client: own.client, tokens: await succeedRefreshToken(actorSessionId) };
}
