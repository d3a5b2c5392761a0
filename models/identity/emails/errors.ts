import { defineErrors } from '../../errors.js';

export const emailErrors = defineErrors({
  email_exists: [409, 'This address is already on your list.'],
  email_taken: [409, 'This address belongs to another account.'],
  email_limit: [409, 'An account has at most ten addresses. Remove one first.'],
  email_verified_already: [409, 'This address is already verified.'],
  email_not_verified: [409, 'Verify this address first.'],
  email_is_primary: [409, 'This is your primary address. Make another address primary first.'],
  email_linked: [
    409,
    'An organization linked an address to your account. Remove that address before you change your primary address.',
  ],
  email_last_verified: [409, 'This is the last verified address of the account. Verify another address first.'],
  mailbox_unproven: [
    403,
    'An administrator set your password. Request a link by mail and set your own password first.',
  ],
  verification_token_invalid: [400, 'This link is not valid, was used before, or has expired.'],
});
