/** Refusals of impersonation (spec: Impersonation). */
import { defineErrors } from '../../errors.js';

export const impersonationErrors = defineErrors({
  impersonation_read_only: [
    403,
    'You are viewing the platform as another member. Stop the impersonation to make changes.',
  ],
  impersonation_area_closed: [
    403,
    'You are viewing the platform as another member. You cannot open that member’s account or messages.',
  ],
  not_impersonable: [
    403,
    'You cannot impersonate this member. Only other members who have access, are not admins and do not have to change their password can be impersonated.',
  ],
  not_impersonating: [409, 'This session is not an impersonation.'],
  restore_token_invalid: [
    401,
    'The restore token of this session is missing or invalid. Send it in its cookie or in the body.',
  ],
});
