import { translateConstraints } from '../../database/constraints.js';
import { defineErrors } from '../../errors.js';

/** Refusals about people who were invited. */
export const invitationErrors = defineErrors({
  invitation_open: [409, 'This person has not accepted the invitation yet: there is no account to act on.'],
  invitation_closed: [409, 'This invitation was accepted, declined or taken back.'],
  invitation_invalid: [400, 'This link is not valid, was used before, or has expired. Ask to be invited again.'],
  already_invited: [409, 'An invitation was mailed to this address within the last day.'],
  password_not_kept: [
    409,
    'This address got an account, or its account a password, in the same moment, and yours is not it. Try again.',
  ],
});

translateConstraints({ invitation_open: () => invitationErrors.invitation_open() });
