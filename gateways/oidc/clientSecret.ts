/** Whether a client secret is the right one, without anybody signing in. */
import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { connect } from './client.js';
import type { OidcProvider } from './provider.js';

export const SECRET_ANSWERS = ['accepted', 'refused', 'not_told'] as const;
/** `not_told`: the provider's answer does not depend on the secret, or there is none that says. */
export type SecretAnswer = (typeof SECRET_ANSWERS)[number];

/**
 * Redeems a code that nobody gave out: who says that the code is wrong has taken the secret (RFC 6749, 5.2). Unless it
 * says so of a secret that is certainly wrong, too.
 * @throws OidcFailure
 */
export async function tryClientSecret(settings: OidcProvider, redirectUri: string): Promise<SecretAnswer> {
  const answer = await askWith(settings, redirectUri);
  if (answer !== 'accepted') return answer;
  const clientSecret = randomBytes(32).toString('base64url');
  return (await askWith({ ...settings, clientSecret }, redirectUri)) === 'refused' ? 'accepted' : 'not_told';
}

async function askWith(settings: OidcProvider, redirectUri: string): Promise<SecretAnswer> {
  const client = await connect(settings);
  const asked = { code: randomBytes(32).toString('base64url'), redirect_uri: redirectUri };
  const code_verifier = oidc.randomPKCECodeVerifier();
  try {
    await oidc.genericGrantRequest(client, 'authorization_code', { ...asked, code_verifier });
    return 'not_told';
  } catch (error) {
    // 401 with a challenge: what was refused is who asks.
    if (error instanceof oidc.WWWAuthenticateChallengeError) return 'refused';
    if (!(error instanceof oidc.ResponseBodyError)) return 'not_told';
    if (error.error === 'invalid_grant') return 'accepted';
    return error.error === 'invalid_client' ? 'refused' : 'not_told';
  }
}
