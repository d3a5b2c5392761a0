/**
 * WebAuthn challenges of registrations and sign-ins: 256 bits, stored as a hash. Each can be used once, within 5
 * minutes.
 */
import { randomBytes } from 'node:crypto';
import { firstRow, rows } from '../../database/rows.js';
import { hashToken } from '../secretTokens.js';
import { passkeyErrors } from './errors.js';

export const CHALLENGE_SECONDS = 5 * 60;

type Purpose = 'registration' | 'authentication';

/**
 * Issues a challenge, and deletes up to 100 expired ones.
 * @param userId the person who registers a passkey; null for a sign-in
 */
export async function issueChallenge(purpose: Purpose, userId: string | null = null): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32));
  await rows(
    `WITH gone AS (
       DELETE FROM webauthn_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM webauthn_challenges WHERE expires_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED))
     INSERT INTO webauthn_challenges (challenge_hash, purpose, user_id, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
    [hashToken(Buffer.from(bytes).toString('base64url')), purpose, userId, CHALLENGE_SECONDS],
  );
  return bytes;
}

/**
 * Uses up the challenge that the client data names, before the authenticator's response is verified. The caller must
 * commit the transaction even if the verification fails.
 * @param clientDataJSON base64url of the client data (WebAuthn, 5.8.1)
 * @returns the challenge; null if it is unknown, already used, expired, or was issued for another purpose or person
 */
export async function consumeChallenge(
  clientDataJSON: string,
  purpose: Purpose,
  userId: string | null = null,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON);
  if (challenge === null) return null;
  const row = await firstRow<{ is_valid: boolean }>(
    `DELETE FROM webauthn_challenges WHERE challenge_hash = $1
     RETURNING expires_at > now() AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3::uuid AS is_valid`,
    [hashToken(challenge), purpose, userId],
  );
  return row?.is_valid ? challenge : null;
}

/**
 * Returns the challenge that `consumeChallenge` found.
 * @throws Refusal passkey_challenge_invalid if it found none (null)
 */
export function requireChallenge(challenge: string | null): string {
  if (challenge === null) throw passkeyErrors.passkey_challenge_invalid();
  return challenge;
}

function parseChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
