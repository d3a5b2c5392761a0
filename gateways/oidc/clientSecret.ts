/** Tests whether a client secret is correct, without a sign-in. */
import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { connect } from './client.js';
import type { OidcProvider } from './provider.js';

export const SECRET_ANSWERS = ['accepted', 'refused', 'not_told'] as const;
/**
 * `not_told`: the provider's answer does not show whether the secret is right, for example because it is the same for
 * every secret.
 */
export type SecretAnswer = (typeof SECRET_ANSWERS)[number];

/**
 * Tests the client secret by redeeming a random authorization code. If the provider refuses only the code, it has
 * accepted the secret (RFC 6749, 5.2). The test proves nothing if the provider gives the same answer for a random
 * secret.
 * @throws OidcFailure
 */
export async function tryClientSecret(settings: OidcProvider, redirectUri: string): Promise<SecretAnswer> {
  const answer = await redeemRandomCode(settings, redirectUri);
  if (answer !== 'accepted') return answer;
  const clientSecret = randomBytes(32).toString('base64url');
  return (await redeemRandomCode({ ...settings, clientSecret }, redirectUri)) === 'refused' ? 'accepted' : 'not_told';
}

async function redeemRandomCode(settings: OidcProvider, redirectUri: string): Promise<SecretAnswer> {
  const client = await connect(settings);
  const grant = { code: randomBytes(32).toString('base64url'), redirect_uri: redirectUri };
  const code_verifier = oidc.randomPKCECodeVerifier();
  try {
    await oidc.genericGrantRequest(client, 'authorization_code', { ...grant, code_verifier });
    return 'not_told';
  } catch (error) {
    // 401 with a challenge means that the client authentication was refused.
    if (error instanceof oidc.WWWAuthenticateChallengeError) return 'refused';
    if (!(error instanceof oidc.ResponseBodyError)) return 'not_told';
    if (error.error === 'invalid_grant') return 'accepted';
    return error.error === 'invalid_client' ? 'refused' : 'not_told';
  }
}
