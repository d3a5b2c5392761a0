/** A flow records that a person has started to link a network account, until the person returns from the network. */
import { firstRow, rows } from '../database/rows.js';
import type { SsoPlatform } from '../identity/sso/redirects.js';
import { hashToken, newToken } from '../identity/secretTokens.js';
import { redirectUriOf } from './redirectUris.js';

export const FLOW_SECONDS = 10 * 60;
/** Maximum number of open flows per person, more than anyone needs. A further flow deletes the oldest. */
const MAX_OPEN_FLOWS = 10;

export interface LinkFlow {
  userId: string;
  redirectUri: string;
  codeChallenge: string | null;
}

export interface NewFlow {
  userId: string;
  platform: SsoPlatform;
  /** PKCE challenge: base64url of the verifier's SHA-256 (RFC 7636, S256). Null if the client uses no PKCE. */
  codeChallenge: string | null;
}

/**
 * Stores a flow in the caller's transaction.
 * @returns the state (256 bits, stored only as a hash) and the redirect URI
 */
export async function beginFlow({ userId, platform, codeChallenge }: NewFlow) {
  const state = newToken();
  const redirectUri = redirectUriOf(platform);
  await rows(
    `DELETE FROM social_link_flows WHERE expires_at <= now() OR state_hash IN (
       SELECT state_hash FROM social_link_flows WHERE user_id = $1 ORDER BY created_at DESC OFFSET $2)`,
    [userId, MAX_OPEN_FLOWS - 1],
  );
  await rows(
    `INSERT INTO social_link_flows (state_hash, user_id, platform, redirect_uri, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')`,
    [hashToken(state), userId, platform, redirectUri, codeChallenge, FLOW_SECONDS],
  );
  return { state, redirectUri };
}

/**
 * Deletes and returns the flow, so that it is used up even if later checks fail.
 * @returns null when it is unknown, used or expired
 */
export async function consumeFlow(state: string): Promise<LinkFlow | null> {
  const flow = await firstRow<LinkFlow & { isLive: boolean }>(
    `DELETE FROM social_link_flows WHERE state_hash = $1
     RETURNING user_id AS "userId", redirect_uri AS "redirectUri", code_challenge AS "codeChallenge",
               expires_at > now() AS "isLive"`,
    [hashToken(state)],
  );
  return flow?.isLive ? flow : null;
}
