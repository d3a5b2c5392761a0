/**
 * Applies the counter rule (spec: Passkeys, 4). An authenticator counts its signatures; if an assertion reports a lower
 * counter than the stored one, the passkey may have been copied.
 */
import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { lockPerson } from '../lockPerson.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { Passkey } from './Passkey.js';
import type { Assertion } from './proveAssertion.js';

/** suspected: the passkey may have been copied. gone: it was removed in the meantime. */
export type CounterOutcome = 'accepted' | 'suspected' | 'gone';

/**
 * Compares the signature counter of a verified assertion with the stored counter, and stores the new one. Equal
 * counters are accepted, because many authenticators always report 0. A lower counter marks the passkey as suspected,
 * and it is refused until it is registered again. The lock on the person serializes assertions. The caller must commit
 * the transaction for every outcome.
 */
export async function acceptCounter({ userId, passkeyId, counter }: Assertion): Promise<CounterOutcome> {
  // The person's row is always locked before the person's other rows.
  await lockPerson(userId);
  const passkey = await lockForEditIfExists(Passkey, { id: passkeyId, user_id: userId });
  if (!passkey || counter === null) return 'gone';
  if (passkey.needs_reenrollment_at) return 'suspected';
  if (counter >= passkey.signature_counter) {
    await editRow(passkey, { signature_counter: counter, last_used_at: now });
    return 'accepted';
  }
  await editRow(passkey, { needs_reenrollment_at: now });
  await recordSecurityEvent({ userId, kind: 'passkey.suspected', details: { passkey: passkeyId } });
  await enqueueNotice({ userId, kind: 'passkey_suspected', facts: { passkey: passkey.name } });
  return 'suspected';
}
