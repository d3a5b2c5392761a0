/** What seeing the platform as a member refuses (spec: Impersonation). */
import { defineErrors } from '../../errors.js';

export const impersonationErrors = defineErrors({
  impersonation_read_only: [403, 'You see this as somebody else: nothing may be changed.'],
  impersonation_area_closed: [403, 'You see this as somebody else: their account and messages are closed to you.'],
  not_impersonable: [403, 'This member cannot be impersonated.'],
  not_impersonating: [409, 'This is a session of your own.'],
  restore_token_invalid: [401, 'Send the restore token of this session: in its cookie, or in the body.'],
});
