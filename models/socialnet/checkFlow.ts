/** Checks that the person who returns from the network is the one who started the link. */
import { matches } from '../identity/secretTokens.js';
import type { LinkFlow } from './flows.js';
import { socialnetErrors } from './errors.js';
import { isAllowedRedirectUri } from './redirectUris.js';

export interface ReturnedFlow {
  userId: string;
  /** The redirect URI that the client used. Absent: the one with which the flow began. */
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
}

/**
 * Checks a consumed flow against the returning request.
 * @throws Refusal socialnet_state_invalid, socialnet_redirect_uri_mismatch, socialnet_verifier_invalid
 */
export function checkFlow(flow: LinkFlow | null, { userId, redirectUri, codeVerifier }: ReturnedFlow): LinkFlow {
  // If the state belongs to another user, the error is the same as for an unknown state, so that a client cannot tell
  // the two cases apart.
  if (!flow || flow.userId !== userId) throw refusal('state', 'socialnet_state_invalid');
  // The configured redirect URI may have changed since the flow began. The network would then refuse the code, because
  // it was issued for the old URI.
  if (!isAllowedRedirectUri(flow.redirectUri) || (redirectUri !== undefined && redirectUri !== flow.redirectUri)) {
    throw refusal('redirect_uri', 'socialnet_redirect_uri_mismatch');
  }
  requireVerifier(flow.codeChallenge, codeVerifier);
  return flow;
}

/**
 * Verifies PKCE (RFC 7636, 4.6). A verifier without a challenge is refused too, so that a PKCE downgrade fails (RFC
 * 9700, 2.1.1).
 */
function requireVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return;
  if (challenge === null || !matches(verifier, challenge)) {
    throw refusal('code_verifier', 'socialnet_verifier_invalid');
  }
}

const refusal = (field: string, code: keyof typeof socialnetErrors) =>
  socialnetErrors[code](undefined, { [field]: [socialnetErrors[code].detail] });
