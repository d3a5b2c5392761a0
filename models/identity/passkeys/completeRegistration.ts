/** Completes the registration of a passkey. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import { shownSql } from '../../database/model/read.js';
import { oneRow, rows } from '../../database/rows.js';
import { type InSession, requireSession } from '../requireSession.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { MAX_PASSKEYS, passkeyErrors } from './errors.js';
import { Passkey } from './Passkey.js';
import type { ShownPasskey } from './passkeys.js';
import { expectedOrigins, relyingParty } from './relyingParty.js';

export interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  isSynced: boolean;
}

/**
 * Verifies a registration response. Opens no transaction, because the work is only computation.
 * @param challenge a challenge that was issued to this person and is used up
 * @throws Refusal passkey_not_accepted
 */
export async function verifyRegistration(response: RegistrationResponseJSON, challenge: string): Promise<NewPasskey> {
  const { decodeAttestationObject, verifyRegistrationResponse } = await import('./webAuthn.js');
  try {
    requireNoCertificates(decodeAttestationObject(bytesOf(response.response.attestationObject)));
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: expectedOrigins(),
      expectedRPID: relyingParty().rpID,
      requireUserVerification: false,
    });
    if (!verified) throw new Error('The attestation does not hold.');
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports ?? [],
      isSynced: credentialDeviceType === 'multiDevice',
    };
  } catch {
    // The library throws for every response that does not match the options.
    throw passkeyErrors.passkey_not_accepted();
  }
}

const bytesOf = (encoded: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(encoded, 'base64url'));

/**
 * Rejects a response that carries attestation certificates. The server requests none; to check them, it would have to
 * fetch the URLs that the certificates name.
 */
function requireNoCertificates(decoded: AttestationObject): void {
  const format = decoded.get('fmt');
  // 'packed' without certificates is signed by the credential itself (WebAuthn, 5.1.3).
  const plain = format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'));
  if (!plain) throw new Error('Attested by a certificate.');
}

/**
 * Stores a verified passkey in the open transaction and notifies the person. The new passkey replaces the person's
 * passkeys that must be registered again.
 * @param sessionId the session of the registration; if it has ended meanwhile, nothing is stored
 * @throws Refusal session_ended, passkey_already_registered, too_many_passkeys
 */
export async function storePasskey(
  { userId, sessionId }: InSession,
  passkey: NewPasskey,
  name: string,
): Promise<ShownPasskey> {
  await requireSession(userId, sessionId);
  await rows('DELETE FROM webauthn_credentials WHERE user_id = $1 AND needs_reenrollment_at IS NOT NULL', [userId]);
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int AS count FROM webauthn_credentials WHERE user_id = $1',
    [userId],
  );
  if (count >= MAX_PASSKEYS) throw passkeyErrors.too_many_passkeys();
  const { passkey: stored } = await oneRow<{ passkey: ShownPasskey }>(
    `WITH kept AS (
       INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, transports, is_synced, name)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *)
     SELECT to_json(one) AS passkey FROM (SELECT ${shownSql(Passkey)} FROM kept webauthn_credentials) one`,
    [
      userId,
      passkey.credentialId,
      Buffer.from(passkey.publicKey),
      passkey.counter,
      passkey.transports,
      passkey.isSynced,
      name,
    ],
  );
  await recordSecurityEvent({ userId, kind: 'passkey.added', details: { passkey: stored.id } });
  await enqueueNotice({ userId, kind: 'passkey_added', facts: { passkey: name } });
  return stored;
}
