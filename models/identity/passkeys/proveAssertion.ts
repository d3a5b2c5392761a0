/**
 * Verifies the WebAuthn assertion with which an authenticator answers a challenge, at sign-in or step-up: whose passkey
 * it is, and whether the signature is valid.
 */
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { loadIfExists } from '../../database/model/read.js';
import { inPlatform } from '../../database/tenancy.js';
import { CHALLENGE_SECONDS, issueChallenge, requireChallenge, consumeChallenge } from './challenges.js';
import { Passkey } from './Passkey.js';
import { expectedOrigins, relyingParty } from './relyingParty.js';
import { userIdOf } from './userHandle.js';

/** A known passkey of a known person, and the result of checking it. */
export interface Assertion {
  userId: string;
  /** Id of the passkey's row. */
  passkeyId: string;
  /** The signature counter that the authenticator reported; null when the assertion is invalid. */
  counter: number | null;
}

/**
 * Begins a sign-in.
 * @returns the options for the browser. They list no credential ids, because the person is not known yet.
 */
export async function beginAuthentication(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('./webAuthn.js');
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: await issueChallenge('authentication'),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'preferred',
  });
}

/**
 * Uses up the challenge and verifies the assertion. Opens its own transaction: do not call it inside one.
 * @returns null if the passkey is unknown, or belongs to a person other than the one that the user handle names
 */
export async function proveAssertion(response: AuthenticationResponseJSON): Promise<Assertion | null> {
  const userId = userIdOf(response.response.userHandle);
  const [consumedChallenge, key] = await inPlatform(async () => [
    await consumeChallenge(response.response.clientDataJSON, 'authentication'),
    userId && (await loadIfExists(Passkey, { credential_id: response.id, user_id: userId })),
  ]);
  const challenge = requireChallenge(consumedChallenge);
  if (!userId || !key) return null;
  return { userId, passkeyId: key.id, counter: await verifiedCounter(response, challenge, key) };
}

async function verifiedCounter(
  response: AuthenticationResponseJSON,
  challenge: string,
  key: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('./webAuthn.js');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: expectedOrigins(),
      expectedRPID: relyingParty().rpID,
      // Counter 0 turns the library's comparison of counters off; `acceptCounter` compares them later. The library
      // would refuse equal counters, even before it has verified the signature.
      credential: { id: key.credential_id, publicKey: new Uint8Array(key.public_key), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for every response that does not match the options.
    return null;
  }
}
