/** The counter rule (spec: Passkeys, 4): an authenticator counts its signatures, so a copy of it falls behind. */
import { editRow, lockIfThere, now } from '../../database/model/change.js';
import { lockPerson } from '../lockPerson.js';
import { noticePerson } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { Passkey } from './Passkey.js';
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
  const passkey = await lockIfThere(Passkey, { id: passkeyId, user_id: userId });
  if (!passkey || counter === null) return 'gone';
  if (passkey.needs_reenrollment_at) return 'suspected';
  if (counter >= passkey.signature_counter) {
    await editRow(passkey, { signature_counter: counter, last_used_at: now });
    return 'accepted';
  }
  await editRow(passkey, { needs_reenrollment_at: now });
  await recordSecurityEvent({ userId, kind: 'passkey.suspected', details: { passkey: passkeyId } });
  await noticePerson({ userId, kind: 'passkey_suspected', facts: { passkey: passkey.name } });
  return 'suspected';
}
