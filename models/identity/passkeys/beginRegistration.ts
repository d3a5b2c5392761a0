/** Begins the registration of a passkey. */
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { readRow } from '../../database/model/read.js';
import { rows } from '../../database/rows.js';
import { User } from '../User.js';
import { CHALLENGE_SECONDS, issueChallenge } from './challenges.js';
import { MAX_PASSKEYS, passkeyErrors } from './errors.js';
import { relyingParty } from './relyingParty.js';
import { userHandleOf } from './userHandle.js';

/**
 * Issues a challenge for a registration.
 * @returns the options with which the browser creates a discoverable credential. They exclude authenticators that
 * already hold a passkey of this person, unless that passkey must be registered again.
 * @throws Refusal too_many_passkeys
 */
export async function beginRegistration(userId: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { email, first_name, last_name } = await readRow(User, userId);
  const existing = await rows<{ id: string; transports: string[] }>(
    `SELECT credential_id AS id, transports FROM webauthn_credentials
      WHERE user_id = $1 AND needs_reenrollment_at IS NULL ORDER BY id`,
    [userId],
  );
  if (existing.length >= MAX_PASSKEYS) throw passkeyErrors.too_many_passkeys();
  const { generateRegistrationOptions } = await import('./webAuthn.js');
  return generateRegistrationOptions({
    ...relyingParty(),
    userName: email ?? '',
    userDisplayName: `${first_name} ${last_name}`,
    userID: userHandleOf(userId),
    challenge: await issueChallenge('registration', userId),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}
