import { defineErrors } from '../errors.js';

export const notificationErrors = defineErrors({
  preference_locked: [400, 'You cannot turn off in-app and mail notifications about the security of your account.'],
  sender_needs_smtp: [400, 'Set `from_email`: a mail server of your own needs a sender address.'],
  sender_taken: [409, 'Another organization or the platform already uses this sender address. Choose another one.'],
  address_not_verified: [409, 'Your primary address is not verified. Verify it, then send the test again.'],
});
