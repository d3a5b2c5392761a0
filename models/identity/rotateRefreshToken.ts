/** Exchanges a refresh token for new tokens. Each token can be exchanged once. */
import { config } from '../../config.js';
import type { Origin } from '../database/connection.js';
import { firstRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';
import { recordSecurityEvent } from './securityEvents.js';
import { revokeSession } from './revokeSessions.js';
import { replaceRefreshToken } from './replaceRefreshToken.js';
import { impersonationOf, type SessionTokens, signSessionTokens, type TokenClaims, verifyToken } from './tokens.js';

export type Rotation =
  | { outcome: 'rotated'; client: 'web' | 'native'; tokens: SessionTokens }
  | { outcome: 'invalid' | 'reused' | 'session_ended' | 'provider_due' | 'membership_ended' };

interface PresentedToken {
  client: 'web' | 'native';
  session_valid: boolean;
  provider_due: boolean;
  token_used: boolean;
  token_fresh: boolean;
  belongs: boolean;
}

/**
 * Exchanges a refresh token. Of several concurrent calls with the same token, exactly one creates the token's
 * successor. Within `REFRESH_GRACE_SECONDS`, the other calls get the same successor while it is unused. Any other
 * repeated call counts as reuse and ends the session.
 */
export async function rotateRefreshToken(token: string, origin: Origin): Promise<Rotation> {
  const claims = verifyToken(token, 'refresh');
  if (!claims?.jti) return { outcome: 'invalid' };
  // An ended session is returned as an outcome and not thrown, because the transaction must commit.
  return inPlatform(() => rotate(claims), { origin });
}

async function rotate(claims: TokenClaims): Promise<Rotation> {
  const presented = await lockPresented(claims);
  if (presented?.provider_due) return { outcome: 'provider_due' };
  if (!presented?.session_valid) return { outcome: 'session_ended' };
  const successor = presented.token_used ? await findFreshSuccessor(claims) : null;
  if (presented.token_used && !successor) {
    await revokeSession(claims.sub, claims.sid, 'refresh_token_reused');
    await recordSecurityEvent({ userId: claims.sub, kind: 'session.token_reused', sessionId: claims.sid });
    return { outcome: 'reused' };
  }
  if (!presented.token_fresh) return { outcome: 'invalid' };
  if (!presented.belongs) return { outcome: 'membership_ended' };
  const impersonation = impersonationOf(claims);
  const tokens = successor
    ? signSessionTokens({ userId: claims.sub, sessionId: claims.sid, ...successor, impersonation })
    : await replaceRefreshToken(claims.sid, { predecessorId: claims.jti as string, impersonation });
  return { outcome: 'rotated', client: presented.client, tokens };
}

/**
 * Finds the unused successor of a token that was exchanged within the grace period. This must be a statement of its
 * own, because the statement that waited for the locks does not see rows that were inserted meanwhile.
 */
async function findFreshSuccessor({ jti, sid }: TokenClaims) {
  if (config.REFRESH_GRACE_SECONDS === 0) return null;
  return firstRow<{ refreshTokenId: string; organizationId: string | null; switches: number }>(
    `SELECT next.id AS "refreshTokenId", s.organization_id AS "organizationId", s.switches
       FROM refresh_tokens used
       JOIN refresh_tokens next ON next.predecessor_id = used.id AND next.session_id = used.session_id
       JOIN sessions s ON s.id = used.session_id
      WHERE used.id = $1 AND used.session_id = $2 AND next.used_at IS NULL
        AND used.used_at > now() - $3 * interval '1 second'`,
    [jti, sid, config.REFRESH_GRACE_SECONDS],
  );
}

/** Locks the session and the token, so that a concurrent call waits and then sees the result of the first. */
const lockPresented = ({ jti, sid, sub }: TokenClaims): Promise<PresentedToken | null> =>
  firstRow<PresentedToken>(
    `SELECT s.client,
            s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL AS session_valid,
            s.revoked_at IS NULL AND u.disabled_at IS NULL
              AND app.provider_due_at(s.provider_answered_at, s.connection_id) <= now() IS TRUE AS provider_due,
            t.used_at IS NOT NULL AS token_used, t.expires_at > now() AS token_fresh,
            u.is_platform_admin OR EXISTS (
              SELECT 1 FROM affiliations a JOIN organizations o ON o.id = a.organization_id
               WHERE a.user_id = u.id AND a.organization_id = s.organization_id AND o.is_active) AS belongs
       FROM sessions s JOIN users u ON u.id = s.user_id JOIN refresh_tokens t ON t.session_id = s.id
      WHERE s.id = $1 AND s.user_id = $2 AND t.id = $3
        FOR UPDATE OF s, t`,
    [sid, sub, jti],
  );
