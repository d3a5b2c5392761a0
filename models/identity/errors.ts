/** Refusals of accounts and sessions. */
import { translateConstraints } from '../database/constraints.js';
import { defineErrors } from '../errors.js';

export const identityErrors = defineErrors({
  invalid_credentials: [401, 'The e-mail address or the password is wrong.'],
  session_ended: [401, 'This session has ended. Sign in again.'],
  provider_sign_in_due: [401, 'Your last sign-in at your identity provider is too long ago. Sign in there again.'],
  membership_ended: [401, 'You no longer belong to this organization. Sign in again.'],
  sessions_ended_there: [
    403,
    'Your sessions in that organization were ended. Authenticate again (step-up) or sign in again, then switch to it.',
  ],
  temporary_password_expired: [
    401,
    'This temporary password has expired. Request a link to set your own password, or ask an administrator for a new temporary one.',
  ],
  refresh_token_invalid: [401, 'This refresh token is invalid or has expired. Sign in again.'],
  refresh_token_reused: [401, 'This refresh token was used before, so its session has been ended. Sign in again.'],
  password_changed_meanwhile: [409, 'The password was changed in the meantime. Try again with the new one.'],
  reset_token_invalid: [400, 'This link is not valid, was used before, or has expired. Ask for a new one.'],
  account_protected: [403, 'Administrators of an organization cannot set or reset the password of a platform admin.'],
  account_own: [
    403,
    'You cannot set a temporary password for your own account. Change your password with your current one.',
  ],
  account_elsewhere: [
    403,
    'You cannot set the password of this person, because they also belong to other organizations. Mail them a link to set a new password.',
  ],
  account_disabled: [409, 'This account is disabled.'],
  invitation_open: [
    409,
    'This is not possible yet, because the person has no account before they accept the invitation.',
  ],
  password_not_kept: [
    409,
    'Another request created this account or changed its password at the same time, so yours was not saved. Try again.',
  ],
  last_admin: [409, 'An organization needs at least one active admin. Appoint another one first.'],
  too_many_failures: [429, 'Too many failed attempts. Try again later.'],
});

translateConstraints({ invitation_open: () => identityErrors.invitation_open() });
