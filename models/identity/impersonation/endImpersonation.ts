/** Ends an impersonation and restores the admin's own session. */
import { firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { revokeSession } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { replaceRefreshToken } from '../replaceRefreshToken.js';
import type { SessionTokens, TokenClaims } from '../tokens.js';
import { type RestoreClaims, verifyRestoreToken } from './restoreToken.js';
import type { Origin } from '../../database/connection.js';

export type ImpersonationEnd =
  | { outcome: 'restored'; client: 'web' | 'native'; tokens: SessionTokens }
  /** The restore token is missing or belongs to another session. The impersonation continues. */
  | { outcome: 'unproven' }
  /** The impersonation had already ended, or the admin's own session has ended. */
  | { outcome: 'session_ended' };

/**
 * Stops an impersonation for the API.
 * @param claims of the impersonation's access token
 */
export async function stopImpersonation(
  claims: TokenClaims,
  restoreToken: string | null,
  origin: Origin,
): Promise<ImpersonationEnd> {
  const restore = verifyRestoreToken(restoreToken, claims);
  if (!restore) return { outcome: 'unproven' };
  // Return an ended session as an outcome instead of throwing: an error would roll back the transaction, which must
  // commit.
  return inImpersonation(claims, origin, () => restoreActor(claims, restore, 'stopped'));
}

/** Runs `work` in one transaction in the impersonation's organization. The admin counts as the acting user. */
export const inImpersonation = <T>(claims: TokenClaims, origin: Origin, work: () => Promise<T>) =>
  inTenant(claims.imp_org as string, work, { origin: { ...origin, userId: claims.imp_by as string } });

/**
 * Ends the impersonation's session and issues new tokens for the admin's own session, in the caller's transaction.
 * @param how the impersonation ended, for the security event
 */
export async function restoreActor(
  { sub, sid, imp_by, imp_sid }: TokenClaims,
  { actorId, actorSessionId }: RestoreClaims,
  how: 'stopped' | 'expired',
): Promise<ImpersonationEnd> {
  const own = await firstRow<{ client: 'web' | 'native'; is_valid: boolean }>(
    `SELECT own.client, own.revoked_at IS NULL AND own.expires_at > now() AND u.disabled_at IS NULL AS is_valid
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
  if (!own.is_valid) return { outcome: 'session_ended' };
  return { outcome: 'restored', client: own.client, tokens: await replaceRefreshToken(actorSessionId) };
}
