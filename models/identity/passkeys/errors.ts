/** Refusals of passkeys. */
import { defineErrors } from '../../errors.js';

export const MAX_PASSKEYS = 20;

export const passkeyErrors = defineErrors({
  passkey_challenge_invalid: [400, 'This challenge was already used or is older than 5 minutes. Begin again.'],
  passkey_not_accepted: [400, 'This passkey was not made for this site and this challenge. Begin again.'],
  passkey_invalid: [401, 'This passkey is not valid here. Sign in another way.'],
  passkey_needs_reenrollment: [
    401,
    'This passkey may have been copied and is no longer accepted. Sign in another way and set up a new one.',
  ],
  passkey_already_registered: [409, 'This passkey is already registered.'],
  too_many_passkeys: [409, `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`],
  last_sign_in_method: [409, 'This passkey is your only way to sign in. Add another way to sign in first.'],
});
