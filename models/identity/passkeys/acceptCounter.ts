/** The counter rule (spec: Passkeys, 4): an authenticator counts its signatures, so a copy of it falls behind. */
import { firstRow, rows } from '../../database/rows.js';
import { lockPerson } from '../lockPerson.js';
import { noticePerson } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import type { Assertion } from './proveAssertion.js';

/** suspected: there may be a copy. gone: removed in the meantime. */
export type CounterOutcome = 'accepted' | 'suspected' | 'gone';

/**
 * Compares and stores the counter of a verified answer, one answer at a time. Equal counters are accepted: many
 * authenticators always show 0. A lower one marks the passkey, which is then refused until it is set up anew.
 * Commit the open transaction whatever the outcome.
 */
export async function acceptCounter({ userId, passkeyId, counter }: Assertion): Promise<CounterOutcome> {
  // The person is locked before what is theirs, as everywhere.
  await lockPerson(userId);
  const stored = await firstRow<{ name: string; is_lower: boolean; is_marked: boolean }>(
    `SELECT name, $3::bigint < signature_counter AS is_lower, needs_reenrollment_at IS NOT NULL AS is_marked
       FROM webauthn_credentials WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [passkeyId, userId, counter],
  );
  if (!stored || counter === null) return 'gone';
  if (stored.is_marked) return 'suspected';
  if (!stored.is_lower) {
    await rows('UPDATE webauthn_credentials SET signature_counter = $2, last_used_at = now() WHERE id = $1', [
      passkeyId,
      counter,
    ]);
    return 'accepted';
  }
  await rows('UPDATE webauthn_credentials SET needs_reenrollment_at = now() WHERE id = $1', [passkeyId]);
  await recordSecurityEvent({ userId, kind: 'passkey.suspected', details: { passkey: passkeyId } });
  await noticePerson({ userId, kind: 'passkey_suspected', facts: { passkey: stored.name } });
  return 'suspected';
}
