/** What passkeys refuse. */
import { defineErrors } from '../../errors.js';

export const MOST_PASSKEYS = 20;

export const passkeyErrors = defineErrors({
  passkey_challenge_invalid: [400, 'This challenge was answered before, or is older than 5 minutes. Begin again.'],
  passkey_not_accepted: [400, 'This is not a passkey that was made for this site and this challenge.'],
  passkey_invalid: [401, 'This passkey does not sign anybody in here.'],
  passkey_needs_reenrollment: [
    401,
    'There may be a copy of this passkey, so it is not accepted any more. Sign in another way and set up a new one.',
  ],
  passkey_already_registered: [409, 'This passkey is registered already.'],
  too_many_passkeys: [409, `An account has at most ${MOST_PASSKEYS} passkeys. Remove one first.`],
  last_sign_in_method: [409, 'You could not sign in any more without this passkey. Add another way to sign in first.'],
});
