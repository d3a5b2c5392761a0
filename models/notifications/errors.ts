import { defineErrors } from '../errors.js';

export const notificationErrors = defineErrors({
  preference_locked: [400, 'What concerns the security of your account stays on in the app and by mail.'],
  sender_needs_smtp: [400, 'An address of your own to send from and a mail server of your own go together.'],
});
