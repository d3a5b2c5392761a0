/** A person begins to set up a passkey. */
import { generateRegistrationOptions, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { oneRow, rows } from '../../database/rows.js';
import { CHALLENGE_SECONDS, issueChallenge } from './challenges.js';
import { MOST_PASSKEYS, passkeyErrors } from './errors.js';
import { relyingParty } from './relyingParty.js';
import { userHandleOf } from './userHandle.js';

/**
 * @returns what the browser is to make a discoverable credential with. Authenticators that hold one already are left
 *   out, but for those whose passkey has to be set up anew.
 * @throws Refusal too_many_passkeys
 */
export async function beginRegistration(userId: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const person = await oneRow<{ email: string; display_name: string }>(
    `SELECT email, first_name || ' ' || last_name AS display_name FROM users WHERE id = $1`,
    [userId],
  );
  const existing = await rows<{ id: string; transports: string[] }>(
    `SELECT credential_id AS id, transports FROM webauthn_credentials
      WHERE user_id = $1 AND needs_reenrollment_at IS NULL ORDER BY id`,
    [userId],
  );
  if (existing.length >= MOST_PASSKEYS) throw passkeyErrors.too_many_passkeys();
  return generateRegistrationOptions({
    ...relyingParty(),
    userName: person.email,
    userDisplayName: person.display_name,
    userID: userHandleOf(userId),
    challenge: await issueChallenge('registration', userId),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}
