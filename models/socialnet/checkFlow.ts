/** Whether somebody who comes back from the network is the one who left for it. */
import { matches } from '../identity/secretTokens.js';
import type { LinkFlow } from './flows.js';
import { socialnetErrors } from './errors.js';
import { isAllowedRedirectUri } from './redirectUris.js';

export interface Return {
  userId: string;
  /** Left out: the one that the flow has. */
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
}

/** @throws Refusal socialnet_state_invalid, socialnet_redirect_uri_mismatch, socialnet_verifier_invalid */
export function checkFlow(flow: LinkFlow | null, { userId, redirectUri, codeVerifier }: Return): LinkFlow {
  // Somebody else's state is told from no state to nobody.
  if (!flow || flow.userId !== userId) throw refused('state', 'socialnet_state_invalid');
  // The address may have been moved since: a code for the old one would not be accepted for the new.
  if (!isAllowedRedirectUri(flow.redirectUri) || (redirectUri !== undefined && redirectUri !== flow.redirectUri)) {
    throw refused('redirect_uri', 'socialnet_redirect_uri_mismatch');
  }
  requireVerifier(flow.codeChallenge, codeVerifier);
  return flow;
}

/** RFC 7636, 4.6. A verifier without a challenge is refused too, so that no flow is talked out of its own (RFC 9700, 2.1.1). */
function requireVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return;
  if (challenge === null || !matches(verifier, challenge)) {
    throw refused('code_verifier', 'socialnet_verifier_invalid');
  }
}

const refused = (field: string, code: keyof typeof socialnetErrors) =>
  socialnetErrors[code](undefined, { [field]: [socialnetErrors[code].detail] });
