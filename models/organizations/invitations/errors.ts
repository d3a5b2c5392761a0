import { defineErrors } from '../../errors.js';

/** Error codes of invitations. */
export const invitationErrors = defineErrors({
  invitation_closed: [409, 'This invitation was accepted, declined or withdrawn.'],
  invitation_invalid: [400, 'This link is not valid, was used before, or has expired. Ask to be invited again.'],
  already_invited: [409, 'An invitation was already mailed to this address within the last day. Try again later.'],
});
