import { defineErrors } from '../../errors.js';

export const emailErrors = defineErrors({
  email_exists: [409, 'This address is on your list already.'],
  email_taken: [409, 'This address belongs to another account.'],
  email_limit: [409, 'An account has at most ten addresses. Remove one first.'],
  email_verified_already: [409, 'This address is verified already.'],
  email_not_verified: [409, 'Verify this address first.'],
  email_is_primary: [409, 'Mail goes to this address. Make another one primary first.'],
  email_linked: [
    409,
    'An organization linked an address to your account. Remove that one before you make another your main address.',
  ],
  email_last_verified: [409, 'An account keeps one verified address.'],
  mailbox_unproven: [403, 'An administrator set your password. Set one through a mail to your address first.'],
  verification_token_invalid: [400, 'This link is not valid, was used before, or has expired.'],
});
