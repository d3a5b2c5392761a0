/** Challenges of registrations and sign-ins: 256 bits, hashed at rest, for one answer within 5 minutes. */
import { randomBytes } from 'node:crypto';
import { firstRow, rows } from '../../database/rows.js';
import { hashToken } from '../secretTokens.js';
import { passkeyErrors } from './errors.js';

export const CHALLENGE_SECONDS = 5 * 60;

type Purpose = 'registration' | 'authentication';

/** Issues a challenge, and clears away some that nobody answered. @param userId whose registration it begins */
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
 * Uses up the challenge that client data answers, before anything about the answer is checked: commit that, whatever
 * comes of the rest.
 * @param clientDataJSON base64url of the client data (WebAuthn, 5.8.1)
 * @returns the challenge, or null when it does not stand: unknown, used, expired, of another purpose or person
 */
export async function takeChallenge(
  clientDataJSON: string,
  purpose: Purpose,
  userId: string | null = null,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const taken = await firstRow<{ stands: boolean }>(
    `DELETE FROM webauthn_challenges WHERE challenge_hash = $1
     RETURNING expires_at > now() AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3::uuid AS stands`,
    [hashToken(challenge), purpose, userId],
  );
  return taken?.stands ? challenge : null;
}

/** @throws Refusal passkey_challenge_invalid for null */
export function requireChallenge(challenge: string | null): string {
  if (challenge === null) throw passkeyErrors.passkey_challenge_invalid();
  return challenge;
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
