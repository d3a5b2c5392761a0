import { defineErrors } from '../errors.js';

export const notificationErrors = defineErrors({
  preference_locked: [400, 'What concerns the security of your account stays on in the app and by mail.'],
  sender_needs_smtp: [400, 'A mail server of your own needs an address of your own to send from.'],
  sender_taken: [409, 'This address speaks for somebody else: choose another one.'],
  address_not_verified: [409, 'Your primary address is not verified: there is nowhere to send the test to.'],
});
